/* Records of a TFile for writing: the file's header, keys, directories and the free list. All
 * integers are big-endian. The host passes numbers as doubles, by their index in a list; positions
 * in a file below 2^53 are exact. Functions return a status (src/status.h), or the number of bytes
 * written, 0 if the space is too small. */
#ifndef XW_RECORDS_H
#define XW_RECORDS_H

#include "xylem.h"

/* Positions above this are written with 8 bytes: TFile::kStartBigFile. */
#define XW_BIG_FILE 2000000000.0

/* Numbers of a key. */
enum {
    XW_KEY_NBYTES,
    XW_KEY_OBJLEN,
    XW_KEY_KEYLEN,
    XW_KEY_DATIME,
    XW_KEY_CYCLE,
    XW_KEY_SEEK,
    XW_KEY_DIR,
    XW_KEY_PID,     /* offset of process ids, in the upper 16 bits of fSeekPdir */
    XW_KEY_WIDE,    /* 1: places have 8 bytes */
    XW_KEY_BYTES,   /* bytes that were read: without those of a basket */
    XW_KEY_ENTRIES, /* of a basket: fNevBuf; else -1 */
    XW_KEY_NUMBERS
};

/* Reads the key at the start of `src`. */
XY_EXPORT(xw_key_read) int32_t xw_key_read(const uint8_t *src, size_t len, double *numbers);

/* Whether the object of the record `src` has a checksum over all of it that reveals damage. 0 if it
 * is stored uncompressed, and for codecs without one (raw deflate, zstd as ROOT writes it). */
XY_EXPORT(xw_has_checksum) int32_t xw_has_checksum(const uint8_t *src, size_t len);

/* Reads class, name and title of the key at the start of `src`. `places` receives offset and length
 * of each. */
enum { XW_KEY_TEXTS = 6 };
XY_EXPORT(xw_key_texts) int32_t xw_key_texts(const uint8_t *src, size_t len, double *places);

/* Writes nbytes, objlen, datime, cycle, seek, dir and pid to a key whose first bytes are given. A
 * number that is NaN, and everything else, does not change. Fails with XY_E_BUDGET if a position
 * does not fit into a key with 4-byte positions. */
XY_EXPORT(xw_key_change) int32_t xw_key_change(uint8_t *key, size_t len, const double *numbers);

/* Writes a key with 8-byte positions from one that may have 4. It becomes 8 bytes longer, and
 * fNbytes and fKeylen are adjusted. Returns its length; 0 if it would be too long. */
XY_EXPORT(xw_key_widen)
size_t xw_key_widen(uint8_t *dst, size_t room, const uint8_t *key, size_t len);

/* The first bytes of a key, which contain all its numbers. */
enum { XW_KEY_HEAD = 34 };
/* Numbers of a record that moves. */
enum { XW_MOVE_NBYTES, XW_MOVE_SEEK, XW_MOVE_DIR, XW_MOVE_NUMBERS };

/* Sets new positions of `count` records. `heads` has the first XW_KEY_HEAD bytes of each (padded
 * with zeros), `moves` its expected length, its new seek and dir. `pid` is added to the offset of
 * process ids. On failure (XY_E_CORRUPT, or XY_E_BUDGET as xw_key_change), `moves` begins with the
 * index of the record and its actual length. */
XY_EXPORT(xw_keys_move)
int32_t xw_keys_move(uint8_t *heads, size_t count, double *moves, double pid);

/* Makes a key. `texts` are its class, name and title, concatenated. Its length is written as
 * fKeylen. Of the numbers, those of xw_key_change and XW_KEY_WIDE are used. */
XY_EXPORT(xw_key_make)
size_t xw_key_make(uint8_t *dst, size_t room, const double *numbers, const uint8_t *texts,
                   size_t class_len, size_t name_len, size_t title_len);

/* Numbers of the file header, in the order of the file. */
enum {
    XW_FILE_VERSION, /* without the 1,000,000 of large files */
    XW_FILE_BEGIN,
    XW_FILE_END,
    XW_FILE_SEEK_FREE,
    XW_FILE_NBYTES_FREE,
    XW_FILE_NFREE,
    XW_FILE_NBYTES_NAME,
    XW_FILE_COMPRESS,
    XW_FILE_SEEK_INFO,
    XW_FILE_NBYTES_INFO,
    XW_FILE_NUMBERS
};

/* Reads the header at the start of a file. */
XY_EXPORT(xw_file_read) int32_t xw_file_read(const uint8_t *src, size_t len, double *numbers);

/* Writes the header: XW_FILE_BYTES bytes. The first record begins after it. */
enum { XW_FILE_BYTES = 100 };
XY_EXPORT(xw_file_make)
size_t xw_file_make(uint8_t *dst, size_t room, const double *numbers, const uint8_t *uuid);

/* Numbers of a directory. */
enum {
    XW_DIR_CREATED,
    XW_DIR_MODIFIED,
    XW_DIR_NBYTES_KEYS,
    XW_DIR_NBYTES_NAME,
    XW_DIR_SEEK_DIR,
    XW_DIR_SEEK_PARENT,
    XW_DIR_SEEK_KEYS,
    XW_DIR_NUMBERS
};

/* Reads the data of a directory, which follow its key, or in the first record name and title. */
XY_EXPORT(xw_dir_read) int32_t xw_dir_read(const uint8_t *src, size_t len, double *numbers);

/* Writes the data of a directory: always XW_DIR_BYTES. */
enum { XW_DIR_BYTES = 60 };
XY_EXPORT(xw_dir_make)
size_t xw_dir_make(uint8_t *dst, size_t room, const double *numbers, const uint8_t *uuid);

/* Writes the list of free space of a file that ends at `end` and has no gaps. */
XY_EXPORT(xw_free_make) size_t xw_free_make(uint8_t *dst, size_t room, double end);

/* Writes a text with its length. */
XY_EXPORT(xw_text_make)
size_t xw_text_make(uint8_t *dst, size_t room, const uint8_t *text, size_t len);

#endif
