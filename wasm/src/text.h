/* Formats text and parses numbers without printf and strtod of the C library. These would add 20 kB
 * of code, most of it for the 128-bit long double of WebAssembly. */
#ifndef XY_TEXT_H
#define XY_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Writes as much of the text as fits into `size` > 0 bytes, and a terminating 0. Returns the length
 * of the written text. Supports these conversions of snprintf: %% %s %d %u %x and %g, with the
 * lengths l, ll and z, a width with or without a leading 0, and the precision of a string. %g gives
 * up to 6 digits after the point; numbers from 1e15 on and below 1e-4 get an exponent. */
size_t xy_format(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
size_t xy_format_list(char *out, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Parses the decimal number at the start of the text, after blanks, as strtod does: returns the
 * double nearest to its first 64 digits, or 0 if the text does not begin with a number. */
double xy_number(const char *text);

/* Returns the first occurrence of `word` in the text; NULL if there is none. */
const char *xy_find(const char *text, const char *word);

#endif
