#ifndef XE_NUMBER_TEXT_H
#define XE_NUMBER_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of bytes of a number. */
enum { XE_NUMBER_BYTES = 32 };

/* Write a number and return its end. */
uint8_t *xe_put_unsigned(uint8_t *out, uint64_t value);
uint8_t *xe_put_signed(uint8_t *out, int64_t value);

/* Writes the shortest text that gives the same number when it is read again, in the form of
 * JavaScript, but with the sign of -0. The number must be finite. Returns its end. */
uint8_t *xe_put_double(uint8_t *out, double value);

#endif
