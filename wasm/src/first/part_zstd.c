/* The beginning of the part zstd: see part.h. */
#include "part.h"

#include <zstd.h>

/* The host would be asked for the address of a visible function. */
static size_t end(ZSTD_DCtx *decoder) {
    return ZSTD_freeDCtx(decoder);
}

XY_EXPORT(xy_part) void xy_part(void) {
    xy_link_zstd(xy_method_zstd, end);
}
