# SPDX-License-Identifier: GPL-2.0
#
# The tests of the engine: they are linked with all of kmod/engine, kmod/io and kmod/model,
# compiled for a provider of verbs in memory (memory/), and with nothing of icbenchctl.

kmod := ../../kmod
engine_tests := $(patsubst %.c,%,$(wildcard test_engine_*.c))

engine_cflags := -std=gnu11 -Wall -Wextra -Wno-unused-parameter $(cflags) -D_GNU_SOURCE \
		 -include memory/kernel.h -I$(build)/memory/include \
		 -I. -iquote memory -iquote $(kmod) -iquote $(user) -I../../include/uapi \
		 $(shell $(PKG_CONFIG) --cflags cmocka)
engine_libs := $(shell $(PKG_CONFIG) --libs cmocka) -ldl -lm -lpthread

engine_lib := $(build)/memory/libengine.a
engine_sources := $(wildcard $(kmod)/engine/*.c $(kmod)/io/*.c $(kmod)/model/*.c) \
		  $(kmod)/host/abort.c $(kmod)/host/cause.c \
		  $(kmod)/verbs/buffers.c $(kmod)/verbs/footprint.c \
		  $(kmod)/verbs/pool.c $(kmod)/verbs/promise.c
engine_objects := $(patsubst $(kmod)/%.c,$(build)/memory/kmod/%.o,$(engine_sources)) \
		  $(patsubst %.c,$(build)/%.o,$(wildcard memory/*.c memory/*/*.c))

$(build)/memory/kmod/%.o: $(kmod)/%.c $(build)/memory/flags
	$(CC) $(engine_cflags) -MMD -MP -c -o $@ $<

$(build)/memory/%.o: memory/%.c $(build)/memory/flags
	$(CC) $(engine_cflags) -MMD -MP -c -o $@ $<

$(engine_lib): $(engine_objects)
	rm -f $@
	$(AR) rcs $@ $^

$(engine_tests:%=$(build)/%.o): $(build)/%.o: %.c $(build)/memory/flags
	$(CC) $(engine_cflags) -MMD -MP -c -o $@ $<

$(engine_tests:%=$(build)/%): %: %.o $(engine_lib)
	$(CC) $(engine_cflags) -o $@ $< $(engine_lib) $(engine_libs)

# what is filled and checked is counted on the way
$(build)/test_engine_callbacks: engine_libs += $(foreach f,fill spoil check,\
					       -Wl,--wrap=icb_payload_$(f))

# what spec.t compares with the netlink specification
all: $(build)/params_table

$(build)/params_table: params_table.c $(engine_lib) $(build)/memory/flags
	$(CC) $(engine_cflags) -MMD -MP -o $@ $< $(engine_lib) $(engine_libs)

# what tables.t compares with Documentation/reference
all: $(build)/tables

$(build)/tables: tables.c $(engine_lib) $(build)/memory/flags
	$(CC) $(engine_cflags) -MMD -MP -o $@ $< $(engine_lib) $(engine_libs)

# the pages' tables
tables: $(build)/tables $(build)/params_table
	$(build)/tables >../../Documentation/reference/combinations_tables.rst
	./keys.py >../../Documentation/reference/keys_table.rst

# headers of the kernel: their content is in memory/kernel.h and memory/verbs/verbs.h
kernel_headers := linux/build_bug.h linux/dma-direction.h linux/jiffies.h linux/log2.h \
		  linux/minmax.h linux/mm.h linux/scatterlist.h linux/sizes.h linux/slab.h \
		  linux/spinlock.h linux/wait.h rdma/ib_verbs.h

# other sanitizers build anew
$(build)/memory/flags: force
	@mkdir -p $(sort $(dir $(engine_objects) \
			$(kernel_headers:%=$(build)/memory/include/%)))
	@cd $(build)/memory/include && for h in $(kernel_headers); do \
		[ -e $$h ] || echo '#include "verbs/verbs.h"' > $$h; done
	@echo '$(CC) $(engine_cflags)' | cmp -s - $@ || \
		echo '$(CC) $(engine_cflags)' > $@

-include $(engine_objects:.o=.d)
