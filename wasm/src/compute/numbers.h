/* Numbers of any stored type as doubles. */
#ifndef XY_NUMBERS_H
#define XY_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Converts n consecutive numbers; their bytes need no alignment. */
void xy_widen(double *out, int dtype, const uint8_t *data, size_t n);
/* Returns the numbers with these indices; NaN for a negative index. */
void xy_gather(double *out, int dtype, const uint8_t *data, const int32_t *at, size_t n);

#endif
