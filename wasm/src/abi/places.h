/* The places of baskets or pages: lists of all branches, one after another. */
#ifndef XY_PLACES_H
#define XY_PLACES_H

#include "ctx.h"

typedef struct {
    xy_buffer start;                        /* uint32 */
    xy_buffer offset, stored, first, count; /* doubles */
    xy_buffer length, type, column;         /* double, uint8 and uint32, of pages */
} xy_places;

static inline void xy_add_double(xy_buffer *b, double v) {
    xy_append(b, &v, sizeof v);
}

void xy_put_places(xy_buffer *out, const xy_places *p);
void xy_free_places(xy_places *p);

#endif
