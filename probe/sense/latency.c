/* The effective limit on wake-up latency. */
#include "sense/sensor.h"

#include "sys/dma_latency.h"

#include <stdlib.h>

struct latency {
	const struct jp_tree *tree;
	enum jp_status last; /* of the latest reading */
};

static enum jp_status latency_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	int32_t us;
	enum jp_status status = jp_dma_latency_read(env->tree, &us);
	if (status != JP_OK)
		return jp_dma_latency_why(status, why);
	struct latency *l = malloc(sizeof *l);
	if (!l)
		return JP_NO_MEM;
	*l = (struct latency){.tree = env->tree, .last = JP_OK};
	*self = l;
	return JP_OK;
}

static void latency_sample(void *self, const struct jp_moment *now, struct jp_host *out, double *extra)
{
	struct latency *l = self;
	int32_t us;
	(void)now;
	(void)extra;
	l->last = jp_dma_latency_read(l->tree, &us);
	if (l->last == JP_OK && us != JP_DMA_LATENCY_NONE)
		out->dma_latency_us = us;
}

static void latency_status(const void *self, struct jp_sensor_status *out)
{
	const struct latency *l = self;
	struct jp_why why;
	if (l->last == JP_OK) {
		jp_sensor_is(out, "/dev/cpu_dma_latency");
		return;
	}
	jp_dma_latency_why(l->last, &why);
	jp_sensor_is_not(out, "%s", why.text);
}

static void latency_close(void *self)
{
	free(self);
}

const struct jp_sensor jp_sensor_dma_latency = {
	.name = "dma_latency",
	.open = latency_open,
	.sample = latency_sample,
	.status = latency_status,
	.close = latency_close,
};
