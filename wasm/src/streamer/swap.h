/* Vectorised byte swaps of runs of numbers; source and destination need no alignment. */
#ifndef XY_SWAP_H
#define XY_SWAP_H

#include <stddef.h>
#include <stdint.h>

void xy_swap16(const uint8_t *src, uint8_t *dst, size_t n);
void xy_swap32(const uint8_t *src, uint8_t *dst, size_t n);
void xy_swap64(const uint8_t *src, uint8_t *dst, size_t n);

#endif
