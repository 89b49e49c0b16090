/** @file energy.h
 * Sources of energy figures behind the one sensor, and counters that wrap. */
#ifndef JP_SENSE_ENERGY_H
#define JP_SENSE_ENERGY_H

#include "sense/sensor.h"

enum { JP_ZONES_MAX = 24, JP_ZONE_NAME = 40 };

/** A power domain as it stands in a column: "package_0", "package_0_dram", "psys". */
struct jp_zone {
	char name[JP_ZONE_NAME];
	bool headline; /**< part of power_w */
	bool always;   /**< draws power at all times; a graphics unit may be off */
};

struct jp_zones {
	struct jp_zone zone[JP_ZONES_MAX];
	size_t n;
};

/** Add a zone. @return its index; JP_ZONES_MAX when there is no room or the name is there already. */
size_t jp_zones_add(struct jp_zones *zones, const struct jp_zone *zone);
/** Is there one that counts for power_w? */
bool jp_zones_headline(const struct jp_zones *zones);

struct jp_energy_source {
	const char *name; /**< "powercap" */
	/** As jp_sensor.open, and the zones; at least one of them is part of the headline. */
	enum jp_status (*open)(const struct jp_sense_env *env, struct jp_zones *zones, void **self, struct jp_why *why);
	/** Mean power of a zone since the call before, W; NaN unknown. */
	double (*watts)(void *self, size_t zone, int64_t mono_ns);
	/** Why there is no figure now, as a whole sentence; "" when there is nothing to say. */
	void (*trouble)(const void *self, char *out, size_t size);
	void (*close)(void *self);
};

extern const struct jp_energy_source jp_energy_perf;
extern const struct jp_energy_source jp_energy_powercap;
extern const struct jp_energy_source jp_energy_hwmon;
extern const struct jp_energy_source jp_energy_battery;

/** What the latest reading of a counter was. */
enum jp_counter_state {
	JP_COUNTER_PRIMED, /**< first reading, or the first one after a gap */
	JP_COUNTER_GOOD,
	JP_COUNTER_STILL, /**< it has not moved: nothing is known where it must move */
	JP_COUNTER_GAP,   /**< a step that cannot be energy */
	JP_COUNTER_LONG,  /**< it may have wrapped more than once */
	JP_COUNTER_LOST,  /**< could not be read */
};

/** An energy counter. Set unit_j, range and must_move; the rest starts as 0. */
struct jp_counter {
	double unit_j;  /**< joules per count */
	uint64_t range; /**< it wraps after this many counts; 0 = never, or unknown */
	bool must_move; /**< what it measures always draws power: no movement is no figure */
	bool headline;  /**< part of power_w: its state is the sensor's */
	enum jp_counter_state state;
	bool primed;
	uint64_t last;
	int64_t last_ns;
};

/** Counts between two readings with its own range. @return false: it went backwards and the range is unknown or smaller
 * than the readings. Pure. */
bool jp_counter_delta(uint64_t before, uint64_t after, uint64_t range, uint64_t *delta);
/** Take a reading. @return mean power since the reading before in W; NaN: see the state. A step of more than 2 kW is none: a
 * backward one (counter was reset) starts afresh from here, a forward one is not trusted as a start either. Pure. */
double jp_counter_watts(struct jp_counter *c, uint64_t raw, int64_t mono_ns);
/** The reading failed. */
void jp_counter_lost(struct jp_counter *c);
/** The sentence for people about the first counter of the headline that gives no figure; "" when there is none. */
void jp_counters_trouble(const struct jp_counter *c, size_t n, char *out, size_t size);

#endif
