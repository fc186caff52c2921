# SPDX-License-Identifier: GPL-2.0
#
# The tests of the engine: they are linked with all of kmod/engine and kmod/model,
# compiled for a network in memory (memory/), and with nothing of icbenchctl.

kmod := ../../kmod
engine_tests := $(patsubst %.c,%,$(wildcard test_engine_*.c))

engine_cflags := -std=gnu11 -Wall -Wextra $(cflags) -D_GNU_SOURCE \
		 -I. -iquote memory -iquote $(kmod) -iquote $(user) -I../../include/uapi \
		 $(shell $(PKG_CONFIG) --cflags cmocka)
engine_libs := $(shell $(PKG_CONFIG) --libs cmocka) -ldl -lm -lpthread

engine_lib := $(build)/memory/libengine.a
engine_objects := $(patsubst $(kmod)/%.c,$(build)/memory/kmod/%.o,\
			     $(wildcard $(kmod)/engine/*.c $(kmod)/model/*.c)) \
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

# other sanitizers build anew
$(build)/memory/flags: force
	@mkdir -p $(sort $(dir $(engine_objects)))
	@echo '$(CC) $(engine_cflags)' | cmp -s - $@ || \
		echo '$(CC) $(engine_cflags)' > $@

-include $(engine_objects:.o=.d)
