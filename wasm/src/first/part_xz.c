/* The beginning of the part xz: see part.h. */
#include "part.h"

/* The host would be asked for the address of a visible function. */
static void end(lzma_stream *stream) {
    lzma_end(stream);
}

XY_EXPORT(xy_part) void xy_part(void) {
    xy_link_xz(xy_method_xz, end);
}
