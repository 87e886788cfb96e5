/* Layouts of ROOT's own classes for files that do not describe them: those that describe all
 * others (TStreamerInfo and its elements), and old classes from before streamer infos were kept. */
#ifndef XY_BUILTIN_H
#define XY_BUILTIN_H

#include "classes.h"

/* Makes the i-th built-in layout of the class `name`; false when there is none. The caller owns
 * `out->elements`. */
bool xy_builtin_make(xy_classes *classes, const char *name, size_t len, int i, xy_class *out);

/* Makes the layout that a class really has on file, where it is not the one that its streamer info
 * describes; else false. The caller owns `out->elements`. */
bool xy_by_hand(xy_classes *classes, const xy_class *described, xy_class *out);

/* The class of the i-th built-in layout; false past the last. A class may have several. */
bool xy_builtin_name(int i, xy_str *name);

#endif
