/* An RNTuple: its schema (header and schema extension), cluster groups and page lists.
 *
 * It is filled step by step as the host brings the envelopes: anchor, header, footer, and of the
 * cluster groups that are needed the page lists, in any order. Names stay in the decompressed
 * envelopes.
 *
 * Every field owns columns, in the order of its representations; a projected field has alias
 * columns, which are the physical columns of another field. In each cluster one representation of
 * a field is stored and the others are suppressed. */
#ifndef XY_NTUPLE_H
#define XY_NTUPLE_H

#include "xylem.h"

#include "../file/file.h"
#include "envelope.h"

enum {
    XY_NT_LEAF = 0,
    XY_NT_COLLECTION = 1,
    XY_NT_RECORD = 2,
    XY_NT_VARIANT = 3,
    XY_NT_STREAMER = 4
};

enum { XY_NT_REPETITIVE = 1, XY_NT_PROJECTED = 2 };

typedef struct {
    uint32_t version, type_version, checksum;
    int32_t parent; /* -1: top level */
    int32_t source; /* for a projected field, the field that it shows; -1: none */
    int32_t depth;
    uint16_t role, flags;
    xy_str name, type, alias, description;
    uint64_t array_size;
    int32_t first_child, last_child, next; /* -1: none */
    int32_t first_column, column_count;    /* in `attached` */
    int32_t position;                      /* among all fields, depth first */
} xy_nt_field;

typedef struct {
    uint16_t type, bits;
    uint16_t representation;
    bool deferred;  /* leading elements are zero and not stored */
    uint64_t first; /* number of these elements, according to the schema */
    int32_t field;
    double min, max;
} xy_nt_column;

typedef struct {
    uint64_t offset;
    uint32_t size;     /* stored, without the checksum */
    uint32_t elements; /* the highest bit is set if 8 bytes of xxh3 follow the page */
} xy_nt_page;

/* Size of the checksum that may follow a page. */
enum { XY_NT_CHECKSUM_BYTES = 8 };

static inline bool xy_nt_has_checksum(const xy_nt_page *page) {
    return page->elements >> 31;
}

static inline uint64_t xy_nt_page_elements(const xy_nt_page *page) {
    return page->elements & 0x7fffffffu;
}

/* Returns the size of a page in the file, including its checksum. */
static inline uint64_t xy_nt_stored_bytes(const xy_nt_page *page) {
    return (uint64_t)page->size + (xy_nt_has_checksum(page) ? XY_NT_CHECKSUM_BYTES : 0);
}

/* A column in a cluster. */
typedef struct {
    uint32_t first_page, page_count;
    bool suppressed;
    uint32_t compression;
    uint64_t elements; /* stored ones */
    int64_t first;     /* its index, counted over all clusters; negative when suppressed */
} xy_nt_range;

typedef struct {
    uint64_t first_entry, entries;
    uint32_t first_range, range_count; /* one for each column that existed when the cluster was
                                        * written */
    int32_t number;                    /* among the clusters of all groups */
} xy_nt_cluster;

typedef struct {
    uint64_t first_entry, entries;
    uint32_t clusters;
    int32_t first_number; /* of its first cluster */
    bool read;            /* its clusters are in `clusters` */
    uint64_t length;      /* of the page list when decompressed */
    xy_locator link;
} xy_nt_group;

typedef struct {
    uint16_t version[4]; /* epoch, major, minor, patch */
    uint64_t header_seek, header_size, header_length;
    uint64_t footer_seek, footer_size, footer_length;
    uint64_t max_key_size; /* of a key with pages or an envelope; 0: any */
} xy_nt_anchor;

/* A known element of an offset column: see entry_offsets.h. */
typedef struct {
    int32_t cluster, column;
    uint64_t element, value;
} xy_nt_known_offset;

struct xy_ntuple {
    xy_file *file;
    xy_nt_anchor anchor;
    xy_buffer header, footer, scratch;
    uint64_t header_checksum;
    xy_str name, description, writer;
    xy_nt_field *fields;
    int32_t field_count, field_cap;
    xy_nt_column *columns;
    int32_t column_count, column_cap;
    struct {
        int32_t column, field;
    } * aliases;
    int32_t alias_count, alias_cap;
    xy_str *extra; /* records of extra type information, whole */
    int32_t extra_count, extra_cap;
    int32_t *attached; /* columns of the fields, own and alias ones */
    int32_t *order;    /* fields, depth first */
    xy_nt_group *groups;
    int32_t group_count;
    int32_t groups_read;
    xy_str *attribute_sets; /* names of the attribute sets that the footer lists */
    int32_t attribute_set_count;
    xy_nt_cluster *clusters; /* of the groups that were read, in entry order */
    int32_t cluster_count, cluster_cap;
    xy_nt_range *ranges;
    int32_t range_count, range_cap;
    xy_nt_page *pages;
    int32_t page_count, page_cap;
    uint64_t entries;
    xy_nt_known_offset *known_offsets; /* sorted */
    int32_t known_count, known_cap;
};

/* Read the parts of an RNTuple. `src` is the record of the anchor, or an envelope as stored. */
xy_status xy_nt_read_anchor(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len);
xy_status xy_nt_read_header(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len);
xy_status xy_nt_read_footer(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len);
/* Reads the page list of a group that has not been read. After a failure, nothing of it is kept. */
xy_status xy_nt_read_page_list(xy_ntuple *nt, xy_error *err, int32_t group, const uint8_t *src,
                               size_t len);
void xy_nt_free(xy_ntuple *nt);

/* ---- the four lists of a schema description, in schema.c ---- */
xy_status xy_nt_read_schema(xy_ntuple *nt, xy_error *err, xy_cursor *c);
/* Links fields and columns after all of them were read. */
xy_status xy_nt_link_schema(xy_ntuple *nt, xy_error *err);

/* Appends the name of a field after the names of the fields above it: "muons._0.pt". */
void xy_nt_put_path(const xy_ntuple *nt, const xy_nt_field *field, xy_buffer *out);

/* Appends the names of the attribute sets to a tape, as a list. */
void xy_nt_put_attribute_sets(const xy_ntuple *nt, xy_buffer *out);

/* ---- columns in clusters ---- */

/* Returns the number of bits of a stored element; 0 for an unknown type. */
int xy_nt_bits(const xy_nt_column *column);
/* Returns the number of columns of one representation of a field. */
int32_t xy_nt_arity(const xy_ntuple *nt, const xy_nt_field *field);
/* Returns the k-th column of the field's representation that is stored in the cluster; -1 if there
 * is none. */
int32_t xy_nt_active(const xy_ntuple *nt, const xy_nt_field *field, int32_t k,
                     const xy_nt_cluster *cluster);
/* Returns the range of a column in a cluster; NULL if the cluster was written before the column was
 * added. */
const xy_nt_range *xy_nt_range_of(const xy_ntuple *nt, const xy_nt_cluster *cluster,
                                  int32_t column);

#endif
