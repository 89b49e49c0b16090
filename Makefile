# jackprobe. The targets people use: all (default), run, test, bench, lint, install, clean.
# Everything that is built lies in $(BUILD); `make BUILD=... SAN=...` gives a second tree, with sanitizers.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build
SAN ?=
CC ?= cc
JOBS ?= $(shell nproc)
# `make V=1` shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s%s\n' $(1) $@)
CFLAGS ?= -O2 -g
VERSION := 0.1.0

WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
CPPFLAGS += -D_GNU_SOURCE -Iinclude -Iprobe -DJP_VERSION='"$(VERSION)"'
# Every symbol is bound at start and called without a stub: no callback ever runs the dynamic linker.
override CFLAGS += -std=gnu11 $(WARN) -pthread -MMD -MP -fno-plt $(if $(WERROR),-Werror) \
	$(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer)
override LDFLAGS += -Wl,-z,relro,-z,now $(if $(SAN),-fsanitize=$(SAN))
LDLIBS := -ljack -llo -lm -pthread

# Optional: PipeWire's per-client times. The library itself is loaded at run time.
PIPEWIRE := $(shell pkg-config --cflags-only-I libpipewire-0.3 2>/dev/null | sed 's/-I/-isystem /g')
CPPFLAGS += $(PIPEWIRE)
SRC := $(filter-out probe/timing/pipewire$(if $(PIPEWIRE),_none).c,$(sort $(wildcard probe/*/*.c osc/*.c)))
OBJ := $(SRC:%.c=$(BUILD)/obj/%.o)
LIB := $(BUILD)/libjackprobe.a
PROBE := $(BUILD)/jackprobe
MANUAL := $(BUILD)/jackprobe.1
COMPLETION := $(BUILD)/jackprobe.bash
HEADERS := $(sort $(wildcard include/jackprobe/*.h))

.DEFAULT_GOAL := all
.SECONDARY:
.PHONY: all run install uninstall clean packages

all: $(PROBE) $(MANUAL) $(COMPLETION)

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(LIB): $(OBJ)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(PROBE): $(BUILD)/obj/probe/main.o $(LIB)
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The manual and the completion are written by a tool that holds the program's own tables.
$(BUILD)/document: $(BUILD)/obj/probe/document.o $(LIB)
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(MANUAL): probe/cli/jackprobe.1.in $(BUILD)/document
	$(call say,MAN)
	$(Q)$(BUILD)/document manual <$< >$@.new && mv $@.new $@

$(COMPLETION): $(BUILD)/document
	$(Q)$(BUILD)/document completion >$@.new && mv $@.new $@

packages:
	@.ci/install

# `make run ARGS="--osc 127.0.0.1:9000"` hands options on.
run: packages
	@$(MAKE) --no-print-directory -s -j$(JOBS) all
	@probe/run.sh $(PROBE) $(ARGS)

install: all
	install -D -m 755 $(PROBE) $(DESTDIR)$(PREFIX)/bin/jackprobe
	install -D -m 644 $(MANUAL) $(DESTDIR)$(PREFIX)/share/man/man1/jackprobe.1
	install -D -m 644 $(COMPLETION) $(DESTDIR)$(PREFIX)/share/bash-completion/completions/jackprobe

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/jackprobe $(DESTDIR)$(PREFIX)/share/man/man1/jackprobe.1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/jackprobe

include tests/tests.mk

clean:
	rm -rf $(BUILD)

-include $(OBJ:.o=.d) $(BUILD)/obj/probe/main.d $(BUILD)/obj/probe/document.d
