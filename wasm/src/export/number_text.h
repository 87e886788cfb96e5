#ifndef XE_NUMBER_TEXT_H
#define XE_NUMBER_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* The most bytes of a number. */
enum { XE_NUMBER_BYTES = 32 };

/* Each writes a number and returns where it ends. */
uint8_t *xe_put_unsigned(uint8_t *out, uint64_t value);
uint8_t *xe_put_signed(uint8_t *out, int64_t value);

/* The shortest text that is this number when it is read again, in the form of JavaScript; -0 has
 * its sign. The number is finite. */
uint8_t *xe_put_double(uint8_t *out, double value);

#endif
