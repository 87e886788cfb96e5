/* The beginning of the part ntuple: see part.h. */
#include "part.h"

XY_EXPORT(xy_part) void xy_part(void) {
    xy_link_ntuple(xy_pages_entries, xy_pages_run);
}
