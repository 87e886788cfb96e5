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

const char *xy_status_name(int32_t status) {
    switch (status) {
    case XY_OK: return "XY_OK";
    case XY_E_ARGUMENT: return "XY_E_ARGUMENT";
    case XY_E_MEMORY: return "XY_E_MEMORY";
    case XY_E_BUDGET: return "XY_E_BUDGET";
    case XY_E_DEPTH: return "XY_E_DEPTH";
    case XY_E_TRUNCATED: return "XY_E_TRUNCATED";
    case XY_E_NOT_ROOT: return "XY_E_NOT_ROOT";
    case XY_E_CORRUPT: return "XY_E_CORRUPT";
    case XY_E_VERSION: return "XY_E_VERSION";
    case XY_E_COMPRESSION: return "XY_E_COMPRESSION";
    case XY_E_CODEC: return "XY_E_CODEC";
    case XY_E_CHECKSUM: return "XY_E_CHECKSUM";
    case XY_E_UNSUPPORTED: return "XY_E_UNSUPPORTED";
    case XY_E_NO_STREAMER: return "XY_E_NO_STREAMER";
    case XY_E_NOT_FOUND: return "XY_E_NOT_FOUND";
    default: return "unknown status";
    }
}
