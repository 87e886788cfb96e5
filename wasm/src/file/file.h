/* State of an open file in the core: its class table, the program that reads its objects, and
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
    xy_program trees; /* only ROOT's own classes that make up a tree: a few of thousands */
    bool trees_compiled;
    xy_buffer scratch; /* the object of the last record */
    xy_buffer
        infos; /* the stored streamer infos, without their key; empty when there are several */
};

/* Reads the record's key and decompresses its object to `scratch`, after the first key->keylen
 * bytes of the record. */
xy_status xy_file_unpack(xy_file *file, xy_error *err, const uint8_t *src, size_t len, xy_key *key);
/* Returns the node of `objects`, or of `trees`, that reads an object of a class. Both are compiled
 * when they are first needed. */
xy_status xy_file_node(xy_file *file, xy_error *err, bool trees, xy_str class_name, int32_t *node);
/* Decodes the object of a record as an object of the given class, to `tape`. */
xy_status xy_file_object(xy_file *file, xy_error *err, const uint8_t *src, size_t len,
                         const char *class_name, xy_buffer *tape);
/* Decodes the object of a record as its own class. An object of an unknown class or form succeeds
 * with the result that xy_object documents. */
xy_status xy_file_object_or_bytes(xy_file *file, xy_error *err, const uint8_t *src, size_t len,
                                  xy_buffer *tape);
/* Decodes the object of a record without keeping anything. `why` receives the reason if it cannot
 * be decoded because of its class or form, or because it is very large. */
xy_status xy_file_check_object(xy_file *file, xy_error *err, const uint8_t *src, size_t len,
                               xy_buffer *why);
/* Adds the streamer info record. */
xy_status xy_file_streamers(xy_file *file, xy_error *err, const uint8_t *src, size_t len);
/* Whether a record has the same infos as the record that was added. */
bool xy_file_same_streamers(const xy_file *file, const uint8_t *src, size_t len);

/* Compiles all classes of the table, and ROOT's collections, into `c` (for the tape). */
void xy_compile_all(xy_compiler *c);

#endif
