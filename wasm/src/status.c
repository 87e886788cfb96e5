#include "status.h"
#include "text.h"

xy_status xy_fail(xy_error *err, xy_status status, uint64_t offset, const char *format, ...) {
    if (err->status != XY_OK) return (xy_status)err->status;
    err->status = (int32_t)status;
    err->offset = offset;
    va_list args;
    va_start(args, format);
    xy_format_list(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}
