# The front door. Meson does the building; see CONTRIBUTING.md for what each target is for.

BUILD  ?= build
PREFIX ?= /usr/local
DESTDIR ?=

C_SOURCES = $(shell find src tools tests bench -name '*.[ch]')
SCRIPTS = .ci/run $(shell grep -rlE '^\#!/bin/(sh|bash)' scripts tests bench debian/tests)

LONG_TESTS = test-bundles test-compat-full test-concurrency test-cpython test-deb test-diff test-fetch \
	test-images test-real test-results test-stress test-verify

.PHONY: all packages image demo test $(LONG_TESTS) test-packages bench check-style sanitize fuzz install \
	clean portable-image test-kernel test-self test-functional soak bench-science $(BUILD)/stet

all: $(BUILD)/stet

# Meson knows what is up to date; the link gives the program the place that people know.
$(BUILD)/stet: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet
	@ln -sf src/cli/stet $@

$(BUILD)/build.ninja:
	@command -v meson >/dev/null || { echo "meson is missing: run 'make packages'" >&2; exit 1; }
	@meson setup --prefix $(PREFIX) $(BUILD) >$(BUILD).log || { cat $(BUILD).log >&2; exit 1; }
	@rm -f $(BUILD).log

packages:
	@scripts/install-packages build

# A small Debian system to start from, of this machine's release: see doc/images.md.
image:
	@mkdir -p $(BUILD)
	@scripts/install-packages image
	@scripts/debian-image $(BUILD)/debian.tar

# The image of tests/portability: small enough to be carried to another machine.
PORTABLE = $(BUILD)/portable.tar.zst
portable-image: $(PORTABLE)

$(PORTABLE): tests/portability/make-image tests/portability/left-out.txt scripts/debian-image
	@mkdir -p $(BUILD)
	@scripts/install-packages kernel
	@tests/portability/make-image $@

demo: packages
	@$(MAKE) --no-print-directory all
	@scripts/demo $(BUILD)/stet

test:
	@scripts/install-packages build style test
	@$(MAKE) --no-print-directory all
	@tests/run --build $(BUILD)

# The long forms of suites of which `make test` runs the short ones.
test-real: MORE_PACKAGES = real
test-images test-deb: MORE_PACKAGES = image
test-diff: MORE_PACKAGES = diff
test-verify: MORE_PACKAGES = diff verify
$(LONG_TESTS):
	@scripts/install-packages build test $(MORE_PACKAGES)
	@$(MAKE) --no-print-directory all
	@tests/run --build $(BUILD) --full $(patsubst %-full,%,$(@:test-%=%))

# Real Debian packages, built under Stet and natively, in hours: see doc/results.md.
#   make test-packages ONLY="hello gkermit" JOBS=2 PARALLEL=2
PACKAGES_DIR ?= $(BUILD)/packages
JOBS ?= 1
PARALLEL ?= 1
TIMES ?= 0
test-packages:
	@scripts/install-packages build packages
	@$(MAKE) --no-print-directory all
	@tests/packages/run --stet $(BUILD)/stet --work $(PACKAGES_DIR) --jobs $(JOBS) --parallel $(PARALLEL) \
		--times $(TIMES) $(if $(DOC),--doc $(DOC)) $(ONLY)

# The commands of tests/portability on Debian's own kernel and an old processor, emulated: see doc/portability.md.
test-kernel:
	@scripts/install-packages build kernel
	@$(MAKE) --no-print-directory all $(PORTABLE)
	@tests/kernel/run $(BUILD)/stet $(PORTABLE) $(BUILD)/kernel

# Stet builds itself, twice and by its own result, which is tested; make test-self MEASURE=1 only measures the build.
test-self:
	@scripts/install-packages build test self
	@$(MAKE) --no-print-directory all
	@tests/self/run --stet $(BUILD)/stet --work $(BUILD)/self $(if $(MEASURE),--measure)

# The projects' own tests, natively and under Stet: make test-functional [ONLY="zlib lua"] [FULL=1]
test-functional:
	@scripts/install-packages build functional
	@$(MAKE) --no-print-directory all
	@tests/functional/run --stet $(BUILD)/stet --work $(BUILD)/functional $(if $(FULL),--full) $(ONLY)

# Random runs for hours, with kills from outside: see tests/soak/run --help.
HOURS ?= 0
MINUTES ?= 0
soak:
	@scripts/install-packages build test real
	@$(MAKE) --no-print-directory all
	@tests/soak/run --stet $(BUILD)/stet --work $(BUILD)/soak --level full \
		--hours $(HOURS) --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

bench:
	@scripts/install-packages build test bench
	@$(MAKE) --no-print-directory all
	@bench/run --stet $(BUILD)/stet --work $(BUILD)/bench

# Science and learning against native: see bench/science --help, also for machines where nothing can be installed.
PROCESSES ?= 1,2
bench-science:
	@scripts/install-packages build test $(if $(IMAGE),,real)
	@$(MAKE) --no-print-directory all
	@bench/science --stet $(BUILD)/stet --work $(BUILD)/science --processes $(PROCESSES) \
		$(if $(IMAGE),--image $(IMAGE))

check-style: $(BUILD)/stet
	@scripts/install-packages build style
	@clang-format --dry-run -Werror $(C_SOURCES)
	@# cppcheck does not know GCC's cleanup attribute, and takes what it frees for leaks.
	cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 --enable=warning,portability \
		--suppress=missingIncludeSystem --suppress=memleak --suppress=resourceLeak -Isrc src tools
	@find src tools -name "*.c" -print0 | xargs -0 -P "$$(nproc)" -n 8 clang-tidy --quiet -p $(BUILD)
	@shellcheck $(SCRIPTS)

# The host side's unit tests under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: packages
	@test -e $(BUILD)-sanitize/build.ninja || \
		meson setup -Db_sanitize=address,undefined -Db_lundef=false $(BUILD)-sanitize
	@meson test -C $(BUILD)-sanitize --print-errorlogs --suite unit

# Each target of tests/fuzz for a while, under the same sanitizers.
FUZZ_SECONDS ?= 60
fuzz:
	@scripts/install-packages build fuzz
	@scripts/fuzz $(BUILD)-fuzz $(FUZZ_SECONDS)

install: $(BUILD)/stet
	@meson configure $(BUILD) --prefix $(PREFIX)
	@meson install -C $(BUILD) --destdir "$(DESTDIR)" --quiet

clean:
	rm -rf $(BUILD) $(BUILD)-sanitize $(BUILD)-fuzz
