# How the tests are built and run. `make test` is all of it; the parts can be run alone:
#   make lint        format, warnings, cppcheck, clang-tidy, headers alone, the manual
#   make unit        Criterion, plain            make unit-asan   the same with address and undefined sanitizer
#   make check-rt    what callbacks may call     make check-races the ring and the whole program with the thread sanitizer
#   make e2e         against private servers     make bench       figures, no verdict

.PHONY: test check

test: packages
	@$(MAKE) --no-print-directory check

check:
	@$(MAKE) --no-print-directory -j$(JOBS) lint
	@$(MAKE) --no-print-directory -j$(JOBS) all $(UNIT) fake
	@$(MAKE) --no-print-directory unit
	@$(MAKE) --no-print-directory -j$(JOBS) unit-asan
	@$(MAKE) --no-print-directory check-rt
	@$(MAKE) --no-print-directory check-races
	@$(MAKE) --no-print-directory e2e

UNIT_SRC := $(sort $(wildcard tests/unit/*.c))
UNIT_OBJ := $(UNIT_SRC:%.c=$(BUILD)/obj/%.o) $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tests/support/*.c)))
UNIT := $(BUILD)/unit

.PHONY: unit unit-asan

$(BUILD)/obj/tests/%.o: CPPFLAGS += -Itests

$(UNIT): $(UNIT_OBJ) $(LIB)
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(UNIT_OBJ) $(LIB) -lcriterion $(LDLIBS)

unit: $(UNIT)
	$(UNIT) $(UNITFLAGS)

unit-asan:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan SAN=address,undefined CFLAGS='-O1 -g' unit

-include $(UNIT_OBJ:.o=.d)

# --- lint: format, warnings, cppcheck, clang-tidy -----------------------------------------------------------------------

C_FILES := $(sort $(wildcard probe/*.c probe/*/*.c osc/*.c))
H_FILES := $(sort $(wildcard include/jackprobe/*.h probe/*/*.h osc/*.h))
TEST_FILES := $(sort $(wildcard tests/*/*.[ch] tests/*/*/*.[ch]))
LINT := $(BUILD)/lint
LINT_FLAGS := $(CPPFLAGS) -std=gnu11

.PHONY: lint lint-format lint-warnings lint-cppcheck lint-tidy lint-headers lint-layers lint-manual

lint: lint-format lint-headers lint-layers lint-warnings lint-cppcheck lint-tidy lint-manual
	@echo "lint: clean"

lint-format:
	@clang-format --dry-run -Werror $(C_FILES) $(H_FILES) $(TEST_FILES)

# Every public header compiles alone, in C and in C++.
lint-headers:
	@for h in $(HEADERS); do \
		$(CC) -std=c11 $(WARN) -Werror -Iinclude -fsyntax-only -x c $$h && \
		$(CXX) -std=c++11 -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c++ $$h || exit 1; \
	done

# The lowest folders know nothing of those that stand on them.
lint-layers:
	@! grep -n '#include "[a-z]*/' probe/sys/*.[ch] probe/rt/*.[ch] | grep -v '^probe/\([a-z]*\)/[^"]*"\1/'

lint-warnings:
	@$(MAKE) --no-print-directory BUILD=$(LINT) WERROR=1 CFLAGS=-O2 all $(LINT)/unit

lint-cppcheck:
	@cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --inline-suppr --std=c11 \
		--suppress=missingIncludeSystem -Iinclude -Iprobe $(C_FILES)

# One stamp a file, so that a second run looks only at what changed.
TIDY := $(C_FILES:%=$(LINT)/%.tidy)
lint-tidy: $(TIDY)
$(LINT)/%.tidy: % $(H_FILES) .clang-tidy
	@mkdir -p $(@D)
	$(call say,TIDY)
	$(Q)clang-tidy --quiet $< -- $(LINT_FLAGS) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

# groff has nothing to complain of.
lint-manual: $(MANUAL)
	@complaints=$$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l $< 2>&1 >/dev/null) && [ -z "$$complaints" ] || \
		{ echo "$$complaints"; exit 1; }

# --- bench: what our own parts cost. Figures, no verdict: a shared machine has no say in that -----------------------------

BENCH := $(patsubst tests/bench/%.c,$(BUILD)/%,$(sort $(wildcard tests/bench/bench_*.c)))
SUPPORT_OBJ := $(filter $(BUILD)/obj/tests/support/%,$(UNIT_OBJ))

$(BENCH): $(BUILD)/%: $(BUILD)/obj/tests/bench/%.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcriterion $(LDLIBS)

bench: $(BENCH) $(PROBE)
	@JACKPROBE=$(abspath $(PROBE)) python3 tests/bench/bench.py $(BENCH)

-include $(BENCH:$(BUILD)/%=$(BUILD)/obj/tests/bench/%.d)

# --- e2e: the program against real servers, private ones ------------------------------------------------------------------

.PHONY: e2e

e2e: $(PROBE)
	JACKPROBE=$(abspath $(PROBE)) tests/e2e/run.py $(E2EFLAGS)


include tests/rt/rt.mk
