/* Layouts of ROOT's own classes for files that do not describe them: classes that describe others
 * (TStreamerInfo and its elements), and old classes from before streamer infos existed. */
#ifndef XY_BUILTIN_H
#define XY_BUILTIN_H

#include "classes.h"

/* Makes the i-th built-in layout of the class `name`; false if there is none. The caller owns
 * `out->elements`. */
bool xy_builtin_make(xy_classes *classes, const char *name, size_t len, int i, xy_class *out);

/* Makes the real layout of a class on file if it differs from its streamer info; otherwise returns
 * false. The caller owns `out->elements`. */
bool xy_by_hand(xy_classes *classes, const xy_class *described, xy_class *out);

/* Returns the class of the i-th built-in layout; false after the last. A class may have several. */
bool xy_builtin_name(int i, xy_str *name);

#endif
