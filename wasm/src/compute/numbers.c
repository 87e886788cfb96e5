#include "numbers.h"

#include "../streamer/tape.h"

#include <math.h>
#include <string.h>

/* Runs LOOP for the C type of a dtype, so that each has a loop of its own. */
#define BY_TYPE(dtype, LOOP)                                                                       \
    switch (dtype) {                                                                               \
    case XY_I8: LOOP(int8_t); break;                                                               \
    case XY_I16: LOOP(int16_t); break;                                                             \
    case XY_U16: LOOP(uint16_t); break;                                                            \
    case XY_I32: LOOP(int32_t); break;                                                             \
    case XY_U32: LOOP(uint32_t); break;                                                            \
    case XY_I64: LOOP(int64_t); break;                                                             \
    case XY_U64: LOOP(uint64_t); break;                                                            \
    case XY_F32: LOOP(float); break;                                                               \
    case XY_F64: LOOP(double); break;                                                              \
    default: LOOP(uint8_t); break;                                                                 \
    }

void xy_widen(double *out, int dtype, const uint8_t *data, size_t n) {
#define WIDEN(type)                                                                                \
    for (size_t i = 0; i < n; i++) {                                                               \
        type v;                                                                                    \
        memcpy(&v, data + i * sizeof v, sizeof v);                                                 \
        out[i] = (double)v;                                                                        \
    }
    BY_TYPE(dtype, WIDEN)
#undef WIDEN
}

void xy_gather(double *out, int dtype, const uint8_t *data, const int32_t *at, size_t n) {
#define GATHER(type)                                                                               \
    for (size_t i = 0; i < n; i++) {                                                               \
        type v = 0;                                                                                \
        if (at[i] >= 0) memcpy(&v, data + (size_t)at[i] * sizeof v, sizeof v);                     \
        out[i] = at[i] < 0 ? NAN : (double)v;                                                      \
    }
    BY_TYPE(dtype, GATHER)
#undef GATHER
}
