# SPDX-License-Identifier: GPL-2.0
#
# What people call. Kbuild, which compiles the module, reads the file Kbuild.

PREFIX	?= /usr/local

# what asks for a kernel finds one when none was given
ifndef KDIR
KDIR	= $(eval KDIR := $(shell scripts/kdir))$(KDIR)
endif
need_kdir = $(if $(KDIR),,$(error no kernel headers: install linux-headers-$(shell \
	uname -r) (Debian: linux-headers-amd64), or give KDIR=))

# the parts that are there
cli	:= $(if $(wildcard user/Makefile),cli)
man	:= $(if $(wildcard Documentation/man/Makefile),man)
unit	:= $(if $(wildcard tests/unit/Makefile),tests/unit)

all: module $(cli)

module:
	$(need_kdir)
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

cli:
	$(MAKE) -C user PREFIX=$(PREFIX)

man:
	$(MAKE) -C Documentation/man

install: all $(man)
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install

uninstall:
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/uninstall

clean:
	$(if $(KDIR),$(MAKE) -C $(KDIR) M=$(CURDIR) clean)
	$(if $(cli),$(MAKE) -C user clean)
	$(if $(man),$(MAKE) -C Documentation/man clean)
	$(if $(unit),$(MAKE) -C $(unit) clean)
	rm -rf build

#
# In a virtual machine
#

demo:
	@tests/setup demo
	@tests/vm/run --no-insmod -- sh -c \
		'cd $${ICBENCH_KO%/*} && set -x && insmod icbench.ko && icbenchctl run latency'

check:
	@tests/setup check
	$(if $(unit),$(MAKE) -C $(unit))
	prove --timer --recurse --exec '' $(wildcard tests/static tests/unit tests/vm)

check-static:
	@tests/setup check
	prove --timer --exec '' tests/static

bench:
	@tests/setup check
	tests/perf/run

#
# For developers
#

genl:
	scripts/ynl-regen

help:
	@echo 'icbench $(shell cat VERSION)'
	@echo
	@echo '  all           the module and icbenchctl (the default); or one: module, cli'
	@echo '  man           the manual pages'
	@echo '  install       all of it, and shell completion; uninstall removes the same'
	@echo '  clean         what was built'
	@echo
	@echo '  demo          measure latency in a virtual machine'
	@echo '  check         every test; check-static: those that need no machine'
	@echo '  bench         the performance tests'
	@echo '  genl          the netlink code and header, anew from the specification'
	@echo
	@echo '  KDIR=TREE     kernel to build for  (the running one, else the newest headers)'
	@echo '  PREFIX=DIR    where to install     (/usr/local)'
	@echo '  DESTDIR=DIR   goes before every path that is installed'
	@echo
	@echo 'demo, check and bench install the packages that they lack (tests/packages).'

.PHONY: all module cli man install uninstall clean
.PHONY: demo check check-static bench genl help
