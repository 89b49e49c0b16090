# How the tests are built and run. `make test` is all of it; the parts can be run alone:
#   make unit            Criterion, plain          make unit-asan / unit-tsan   with sanitizers

UNIT_SRC := $(sort $(wildcard tests/unit/*.c))
UNIT_OBJ := $(UNIT_SRC:%.c=$(BUILD)/obj/%.o) $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tests/support/*.c)))
UNIT := $(BUILD)/unit

.PHONY: unit unit-asan unit-tsan

$(BUILD)/obj/tests/%.o: CPPFLAGS += -Itests

$(UNIT): $(UNIT_OBJ) $(LIB)
	$(CC) $(LDFLAGS) -o $@ $(UNIT_OBJ) $(LIB) -lcriterion $(LDLIBS)

unit: $(UNIT)
	$(UNIT) $(UNITFLAGS)

unit-asan:
	$(MAKE) BUILD=$(BUILD)/asan SAN=address,undefined CFLAGS='-O1 -g' unit

unit-tsan:
	$(MAKE) BUILD=$(BUILD)/tsan SAN=thread CFLAGS='-O1 -g' unit

-include $(UNIT_OBJ:.o=.d)
