/* What the core keeps of an open file: its class table, the program that reads its objects, and
 * reused scratch memory. */
#ifndef XY_FILE_H
#define XY_FILE_H

#include "xylem.h"

#include "../streamer/run.h"
#include "record.h"

struct xy_file {
    xy_codec *codec;
    xy_classes *classes;
    xy_program objects; /* all classes, for the tape */
    bool compiled;
    xy_buffer scratch; /* the object of the last record */
};

/* Reads the record's key, decompresses its object and decodes it as `class_name` (the key's own
 * class when NULL) to `tape`. `last_id` gets the highest object id on it. */
xy_status xy_file_object(xy_file *file, xy_error *err, const uint8_t *src, size_t len,
                         const char *class_name, xy_buffer *tape, uint32_t *last_id);
/* Adds the streamer info record. */
xy_status xy_file_streamers(xy_file *file, xy_error *err, const uint8_t *src, size_t len);

/* Compiles all classes of the table, and ROOT's collections, into `c` (for the tape). */
void xy_compile_all(xy_compiler *c);

#endif
