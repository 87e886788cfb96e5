/* Histograms and profiles of one shape: their objects have the same bytes, apart from texts, and
 * from numbers that no other byte depends on. The first of a shape is read and written by the
 * programs of its classes, which find these places. The others are added on their bytes, without
 * being read. */
#ifndef XY_SHAPE_H
#define XY_SHAPE_H

#include "add_bins.h"
#include "object_writer.h"

typedef struct xw_shape xw_shape;

/* Returns the shape of an object from its exact tape, on which its bins were found; NULL if it has
 * none: its bytes depend on where it stands, they are not what would be written, or memory is
 * exhausted. */
xw_shape *xw_shape_of(xy_file *file, xy_str class_name, const uint8_t *object, size_t len,
                      const xy_tape_view *tape, const xy_bins *bins);
void xw_shape_free(xw_shape *shape);
/* The classes and the class that the objects of a shape have. */
const xy_file *xw_shape_file(const xw_shape *shape);
xy_str xw_shape_class(const xw_shape *shape);

/* Whether an object has the shape, and can be added. Its bytes are not trusted. */
bool xw_shape_fits(const xw_shape *shape, const uint8_t *object, size_t len);
/* Adds an object to one of the shape, as xy_add_bins does with their tapes. If that is not
 * possible, returns false and changes nothing. */
bool xw_shape_add(const xw_shape *shape, uint8_t *into, size_t len, bool summed,
                  const uint8_t *other, size_t other_len);

#endif
