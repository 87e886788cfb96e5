/* Compressed objects of a ROOT file.
 *
 * A compressed object is a run of blocks, one after another until the object's length is reached.
 * Each block has a 9-byte envelope: 2 bytes of tag, 1 of method, 3 (little-endian) of compressed
 * and 3 of uncompressed size; so a block holds at most 2^24-1 bytes. Tags: ZL zlib, CS raw deflate
 * of old files, XZ, L4 (8 bytes big-endian xxh64 of the compressed data come first), ZS zstd.
 *
 * Exported from the wasm too, so that tests and benchmarks reach the decoders alone. */
#ifndef XY_CODEC_H
#define XY_CODEC_H

#include "../status.h"
#include "xylem.h"

/* Decoder state, which is expensive to create: one per thread, reused. destroy(NULL) is fine. */
typedef struct xy_codec xy_codec;
XY_EXPORT(xy_codec_create) xy_codec *xy_codec_create(void);
XY_EXPORT(xy_codec_destroy) void xy_codec_destroy(xy_codec *codec);

/* Decompresses `src_len` bytes of blocks into exactly `dst_len` bytes. If both lengths are equal,
 * the object is stored uncompressed and is copied. If the input is too short, has wrong sizes or
 * fails a checksum, this gives an error whose offset is relative to `src`; `dst` then contains
 * undefined bytes. Nothing is read or written outside of the two buffers. */
XY_EXPORT(xy_decompress)
xy_status xy_decompress(xy_codec *codec, xy_error *err, const uint8_t *src, size_t src_len,
                        uint8_t *dst, size_t dst_len);

/* As xy_decompress, block by block, for an object that need not be in memory as a whole. `take`
 * receives its parts in order, each at most 2^24-1 bytes unless the object is stored uncompressed;
 * their memory is reused. */
typedef void xy_take_part(void *use, const uint8_t *part, size_t len);
xy_status xy_decompress_parts(xy_codec *codec, xy_error *err, const uint8_t *src, size_t src_len,
                              size_t dst_len, xy_take_part *take, void *use);

#endif
