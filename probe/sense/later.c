#include "sense/sensor.h"
static enum jp_status none(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	(void)env;
	(void)self;
	return jp_why_set(why, JP_MISSING, "not built yet");
}
const struct jp_sensor jp_sensor_temperature = {.name = "temperature", .open = none};
const struct jp_sensor jp_sensor_watch = {.name = "watch", .open = none};
const struct jp_sensor jp_sensor_frequency = {.name = "frequency", .open = none};
