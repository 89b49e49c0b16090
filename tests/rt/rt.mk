# What runs in callbacks, and the probe's standing in a graph: symbols, races, a stand-in for libjack, real servers.
#   make check-rt        what the objects of probe/rt/ call, held against the allowed symbols
#   make check-races     the ring, and the whole program on the stand-in, under the thread sanitizer
#   make e2e E2EFLAGS=test_graph    the standing against private servers

FAKE := $(BUILD)/fake/libjack.so.0
STANDING := $(BUILD)/standing
INTERPOSE := $(BUILD)/interpose.so
RING_RACE := $(BUILD)/ring_race
RT_OBJ := $(filter $(BUILD)/obj/probe/rt/%,$(OBJ))

.PHONY: fake check-rt

# Without sanitizers: it comes before everything else in the order of symbols.
fake: $(FAKE)
$(FAKE): $(wildcard tests/support/fake_jack/*.[ch])
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE -O2 -g -std=gnu11 $(WARN) -fPIC -shared -pthread -Wl,-soname,libjack.so.0 -o $@ $(filter %.c,$^)

$(STANDING): $(BUILD)/obj/tests/rt/standing.o $(LIB)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(INTERPOSE): tests/rt/interpose.c
	$(CC) -D_GNU_SOURCE -O2 -g -std=gnu11 $(WARN) -fPIC -shared -pthread -o $@ $<

$(RING_RACE): tests/rt/ring_race.c probe/rt/ring.c $(HEADERS)
	$(CC) $(CPPFLAGS) -O1 -g -std=gnu11 $(WARN) -fsanitize=thread -pthread -o $@ $(filter %.c,$^)

check-rt: $(RT_OBJ)
	tests/rt/symbols.sh tests/rt/allowed_symbols $(RT_OBJ)

check-races: $(RING_RACE) $(FAKE)
	$(RING_RACE)
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/tsan SAN=thread CFLAGS='-O1 -g' all
	tests/rt/races.sh $(BUILD)/tsan/jackprobe $(dir $(FAKE))

-include $(BUILD)/obj/tests/rt/standing.d

# tests/e2e/test_graph.py needs them.
e2e: $(STANDING) $(INTERPOSE) $(FAKE)
