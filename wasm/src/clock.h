/* The only call of the core to its host: the time, for the phases of a task (abi_decode.c). */
#ifndef XY_CLOCK_H
#define XY_CLOCK_H

/* Returns the time in ms since an arbitrary moment. */
#ifdef __wasm__
__attribute__((import_module("env"), import_name("xy_clock"))) double xy_clock(void);
#else
#include <time.h>
static inline double xy_clock(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
#endif

#endif
