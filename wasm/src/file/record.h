/* Records of a TFile: the file header, keys, directories and lists of keys. All integers are
 * big-endian. Seek fields have 4 or 8 bytes, depending on the version: of the file for its header
 * (8 from 1,000,000 on), of the key or directory itself otherwise (8 above 1000). */
#ifndef XY_RECORD_H
#define XY_RECORD_H

#include "../buffer.h"
#include "../bytes.h"
#include "../codec/codec.h"
#include "../status.h"

typedef struct {
    int32_t version; /* without the 1,000,000 that marks 64-bit seeks */
    bool large;
    uint64_t begin, end, seek_free, seek_info;
    int32_t nbytes_free, nfree, nbytes_name, compress, nbytes_info;
    uint8_t units;
    uint8_t uuid[16];
} xy_file_header;

/* Reads the file header. `src` starts with the file's first byte; 75 bytes are enough. */
xy_status xy_read_header(xy_error *err, const uint8_t *src, size_t len, xy_file_header *out);

typedef struct {
    int32_t nbytes; /* of the whole record; negative for a gap */
    uint16_t version;
    int32_t objlen; /* of the object when decompressed */
    uint32_t datime;
    uint16_t keylen;
    uint16_t cycle;
    uint64_t seek_key, seek_dir;
    xy_str class_name, name, title;
    size_t header_bytes; /* bytes of the input that were read */
} xy_key;

/* Reads a key at the cursor. On success the cursor is after the key's strings. */
xy_status xy_read_key(xy_error *err, xy_cursor *c, xy_key *out);

typedef struct {
    uint16_t version;
    uint32_t created, modified;
    int32_t nbytes_keys, nbytes_name;
    uint64_t seek_dir, seek_parent, seek_keys;
    uint8_t uuid[16];
    bool has_uuid;
} xy_directory;

xy_status xy_read_directory(xy_error *err, xy_cursor *c, xy_directory *out);

/* Decompresses the object of the record `src` with the key `key` to `out` (contents replaced).
 * Refuses a claimed size that the compressed bytes cannot have. */
xy_status xy_unpack(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                    const xy_key *key, xy_buffer *out);
/* As xy_unpack, part by part: see xy_decompress_parts. */
xy_status xy_unpack_parts(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                          const xy_key *key, xy_take_part *take, void *use);

#endif
