# SPDX-License-Identifier: GPL-2.0
#
# Targets for users and developers. The kernel's build reads the file Kbuild for the module.

PREFIX	?= /usr/local

# from here or the environment: TEST_JOBS, tests at a time; TEST_LIMIT, seconds for each test
export TEST_JOBS TEST_LIMIT

# targets that need a kernel search for one if KDIR is not given
ifndef KDIR
KDIR	= $(eval KDIR := $(shell scripts/kdir))$(KDIR)
endif
need_kdir = $(if $(KDIR),,$(error no kernel headers: install linux-headers-$(shell \
	uname -r) (Debian: linux-headers-amd64), or give KDIR=))

# the parts that exist in this tree
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

# the book, in build/html; warnings are errors
html:
	@tests/setup html
	sphinx-build -q -W --keep-going -j auto -b html -d build/doctrees Documentation build/html
	@echo 'the book: build/html/index.html'

install: all $(man)
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install

uninstall:
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/uninstall

clean:
	$(if $(KDIR),$(MAKE) -C $(KDIR) M=$(CURDIR) clean)
	$(if $(cli),$(MAKE) -C user clean)
	$(if $(man),$(MAKE) -C Documentation/man clean)
	$(if $(unit),$(MAKE) -C $(unit) clean)
	$(MAKE) -C tests/statistics clean
	rm -rf build tests/fuzz/build

#
# In a virtual machine
#

demo:
	@tests/vm/demo

# SET=ci adds the tests of tests/ci
check:
	@tests/setup check
	$(if $(filter ci,$(SET)),@tests/setup debug)
	@tests/check $(SET)

# simulations of the shipped statistics code, without a virtual machine. Those of tests/statistics
# take longest and come first.
simulations = $(addprefix tests/unit/,$(addsuffix .t,$(shell sed -n 's/^simulations [:+]= //p' \
	tests/unit/Makefile)))

check-statistics:
	@tests/setup check
	$(MAKE) -C tests/statistics
	$(MAKE) -C tests/unit simulations
	tests/statistics/run $(simulations)

check-frozen:
	@tests/setup check
	tests/frozen/check

check-static:
	@tests/setup check
	prove --failures --timer --exec '' tests/static

check-debug:
	@tests/setup check
	@tests/setup debug
	DEVICES='$(or $(strip $(DEVICES)),rxe siw)' tests/debug/check $(strip $(TESTS))

# KERNELS selects some of tests/matrix/kernels
check-matrix:
	$(if $(DEVICES),$(error check-matrix takes no DEVICES=, but TESTS= and KERNELS=; it runs over RoCE))
	@tests/setup check
	TESTS='$(strip $(TESTS))' tests/matrix/check $(strip $(KERNELS))

check-kdir:
	$(if $(DEVICES),$(error check-kdir takes no DEVICES=, but TESTS= and KDIR=; it runs over RoCE))
	@tests/setup check
	$(if $(and $(KDIR),$(filter command line environment,$(origin KDIR))),,$(error give KDIR=, a built kernel tree))
	ICBENCH_VM_OPTIONS='--kdir $(abspath $(KDIR))' tests/vm/check $(strip $(TESTS))

check-fuzz:
	$(if $(TESTS)$(DEVICES),$(error check-fuzz takes no TESTS= and no DEVICES=, but the variables that tests/fuzz/check describes))
	@tests/setup check
	@tests/setup debug
	tests/fuzz/check

check-faults:
	@tests/setup check
	@tests/setup debug
	DEVICES='$(or $(strip $(DEVICES)),rxe)' tests/faults/check $(strip $(TESTS))

check-chaos:
	$(if $(TESTS)$(DEVICES),$(error check-chaos takes no TESTS= and no DEVICES=, but ICBENCH_CHAOS_EVENTS))
	@tests/setup check
	tests/chaos/check

# long runs on one CPU; KERNELS selects some of tests/matrix/kernels
check-soak:
	$(if $(TESTS)$(DEVICES),$(error check-soak takes no TESTS= and no DEVICES=, but KERNELS=))
	@tests/setup check
	tests/soak/check $(strip $(KERNELS))

bench:
	@tests/setup check
	tests/perf/run

# all tests, for a day or two; the same command resumes them
check-full:
	$(if $(TESTS)$(DEVICES)$(KERNELS),$(error check-full takes no TESTS=, DEVICES= or KERNELS=, \
		but PARTS=, STATE=, LIST= and FRESH=))
	$(if $(LIST),,@tests/setup check)
	$(if $(LIST),,@tests/setup debug)
	@STATE='$(STATE)' PARTS='$(strip $(PARTS))' LIST='$(LIST)' FRESH='$(FRESH)' tests/full/check

#
# For developers
#

genl:
	scripts/ynl-regen

# the generated tables of Documentation/reference
tables:
	$(MAKE) -C tests/unit tables

help:
	@echo 'icbench $(shell cat VERSION)'
	@echo
	@echo '  all           the module and icbenchctl (the default); module, cli: one of them'
	@echo '  man           the manual pages'
	@echo '  html          the book, from Documentation, in build/html'
	@echo '  install       all of these, and shell completion; uninstall removes them'
	@echo '  clean         remove what was built'
	@echo
	@echo '  demo          measure latency in a virtual machine: instructions, then time'
	@echo '  check         tests/static, unit, vm and fuzz (SET=ci: also in other kernels)'
	@echo '  check-static  the tests that need no virtual machine'
	@echo '  check-statistics  the statistics code, by simulation'
	@echo '  check-frozen      compare figures and documents with those in tests/frozen'
	@echo '  check-debug   the tests in virtual machines, in a debug kernel; TESTS=, DEVICES='
	@echo '  check-matrix  these tests on every kernel of tests/matrix/kernels; KERNELS=, TESTS='
	@echo '  check-kdir    these tests on the kernel of the tree KDIR=; TESTS='
	@echo '  check-fuzz    the fuzzers, at full length'
	@echo '  check-chaos   every event in every state of a run'
	@echo '  check-faults  failing calls and allocations; TESTS=, DEVICES='
	@echo '  check-soak    long runs on one CPU, on each of these kernels; KERNELS='
	@echo '  bench         the performance tests'
	@echo '  check-full    all of these at full length, in parts; LIST=1, PARTS=, STATE=, FRESH=1'
	@echo '  genl          generate the netlink code and header from the specification'
	@echo '  tables        generate the tables of Documentation/reference from the code'
	@echo
	@echo '  TESTS=, KERNELS=, DEVICES= select tests, kernels and devices'
	@echo '  KDIR=TREE     kernel to build for  (the running one, else the newest headers)'
	@echo '  PREFIX=DIR    where to install     (/usr/local)'
	@echo '  DESTDIR=DIR   prefix of every installed path'
	@echo
	@echo 'demo, html, bench and the check commands install missing packages (tests/packages).'

.PHONY: all module cli man html install uninstall clean
.PHONY: demo check check-statistics check-frozen check-static check-debug check-matrix check-kdir
.PHONY: check-fuzz check-faults check-chaos check-soak check-full bench genl tables help
