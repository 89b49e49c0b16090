/* What sending one window costs the collector: to one target on the loopback that reads, and to one that does not exist. */
#include "support/alloc.h"
#include "support/osc_report.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WINDOWS = 2000 };

static int64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static int open_receiver(char *target, size_t size)
{
	struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof addr;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, len) || getsockname(fd, (struct sockaddr *)&addr, &len))
		return -1;
	snprintf(target, size, "127.0.0.1:%u", ntohs(addr.sin_port));
	return fd;
}

static void drain(int fd)
{
	char datagram[2048];
	while (recv(fd, datagram, sizeof datagram, MSG_DONTWAIT) > 0)
		;
}

static int run(const char *what, enum jp_osc_profile profile, const char *target, int fd)
{
	static int64_t cost_ns[WINDOWS];
	struct jp_report report = osc_full_report();
	struct jp_osc_config config = {.profile = profile,
		.targets = &target,
		.n_targets = target ? 1 : 0,
		.prefix = "/jackprobe",
		.name = "bench",
		.version = "0"};
	struct jp_osc *osc;
	struct jp_why why;
	uint64_t sent, dropped;
	if (jp_osc_open(&config, &osc, &why) != JP_OK) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}
	jp_osc_window(osc, &report);
	uint64_t allocations = alloc_count();
	for (int i = 0; i < WINDOWS; i++) {
		int64_t before = now_ns();
		jp_osc_window(osc, &report);
		cost_ns[i] = now_ns() - before;
		drain(fd);
	}
	allocations = alloc_count() - allocations;
	qsort(cost_ns, WINDOWS, sizeof *cost_ns, compare);
	jp_osc_counts(osc, &sent, &dropped);
	printf("osc %-16s p50 %6.2f us  p99 %6.2f us  allocations %.2f  datagrams %.2f  dropped %llu\n", what,
		(double)cost_ns[WINDOWS / 2] / 1e3, (double)cost_ns[WINDOWS * 99 / 100] / 1e3,
		(double)allocations / WINDOWS, (double)sent / (WINDOWS + 1), (unsigned long long)dropped);
	jp_osc_close(osc);
	return 0;
}

int main(void)
{
	char target[64];
	int fd = open_receiver(target, sizeof target);
	if (fd < 0) {
		perror("bench_osc: receiver");
		return 1;
	}
	int failed = run("encoding only", JP_OSC_SCALAR, NULL, fd) | run("scalar", JP_OSC_SCALAR, target, fd) |
		     run("row", JP_OSC_ROW, target, fd) | run("nobody listens", JP_OSC_SCALAR, "127.0.0.1:9", fd);
	close(fd);
	return failed;
}
