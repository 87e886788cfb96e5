#include "ntuple.h"

#include "../streamer/tape.h"
#include "checksum.h"

#include <inttypes.h>

void xy_nt_free(xy_ntuple *nt) {
    xy_buffer_free(&nt->header);
    xy_buffer_free(&nt->footer);
    xy_buffer_free(&nt->scratch);
    free(nt->fields);
    free(nt->columns);
    free(nt->aliases);
    free(nt->extra);
    free(nt->attached);
    free(nt->order);
    free(nt->groups);
    free(nt->attribute_sets);
    free(nt->clusters);
    free(nt->ranges);
    free(nt->pages);
    free(nt->known_offsets);
    memset(nt, 0, sizeof *nt);
}

/* A classic object, so big-endian: byte count, version of the class, the members, and after the
 * object the xxh3 of the members' bytes. Later versions may append members. */
xy_status xy_nt_read_anchor(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len) {
    enum { MEMBERS = 64 };
    xy_cursor c = xy_cursor_of(src, len);
    xy_key key;
    xy_status s = xy_read_key(err, &c, &key);
    if (!s) s = xy_unpack(nt->file->codec, err, src, len, &key, &nt->scratch);
    if (s) return s;
    c = xy_cursor_of(nt->scratch.data, nt->scratch.len);
    uint32_t count = xy_u32(&c);
    if (c.bad || !(count & 0x40000000u))
        return xy_fail(err, XY_E_CORRUPT, key.keylen, "the anchor of an RNTuple has no byte count");
    count &= 0x3fffffffu;
    uint16_t version = xy_u16(&c);
    xy_nt_anchor *a = &nt->anchor;
    size_t start = c.pos;
    for (int i = 0; i < 4; i++)
        a->version[i] = xy_u16(&c);
    if (version < 2 || (!c.bad && a->version[0] == 0))
        return xy_fail(
            err, XY_E_VERSION, key.keylen,
            "this RNTuple was written by a pre-release of the format (%u.%u.%u.%u, class "
            "version %u), which only the version of ROOT that wrote it can read",
            a->version[0], a->version[1], a->version[2], a->version[3], version);
    a->header_seek = xy_u64(&c);
    a->header_size = xy_u64(&c);
    a->header_length = xy_u64(&c);
    a->footer_seek = xy_u64(&c);
    a->footer_size = xy_u64(&c);
    a->footer_length = xy_u64(&c);
    a->max_key_size = xy_u64(&c);
    size_t end = (size_t)count + 4;
    if (c.bad || end < start + MEMBERS || end > c.end - 8)
        return xy_fail(err, XY_E_CORRUPT, key.keylen,
                       "the anchor of an RNTuple is cut off: it has %zu bytes", c.end);
    if (a->version[0] != 1)
        return xy_fail(err, XY_E_VERSION, key.keylen,
                       "this RNTuple has epoch %u of the format; epoch 1 can be read",
                       a->version[0]);
    c.pos = end;
    uint64_t stored = xy_u64(&c);
    uint64_t computed = xy_xxh3(c.base + start, end - start);
    if (stored != computed)
        return xy_fail(err, XY_E_CHECKSUM, key.keylen,
                       "the anchor is damaged: its xxh3 is %016" PRIx64 ", stored is %016" PRIx64,
                       computed, stored);
    return XY_OK;
}

xy_status xy_nt_read_header(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len) {
    xy_cursor c;
    xy_status s = xy_envelope_open(nt->file->codec, err, src, len, nt->anchor.header_length,
                                   XY_ENVELOPE_HEADER, &nt->header, &c, &nt->header_checksum);
    if (!s) s = xy_read_features(err, &c);
    if (s) return s;
    nt->name = xy_le_string(&c);
    nt->description = xy_le_string(&c);
    nt->writer = xy_le_string(&c);
    if (c.bad) return xy_fail(err, XY_E_CORRUPT, c.pos, "the header envelope is cut off");
    return xy_nt_read_schema(nt, err, &c);
}

static xy_status read_group(xy_ntuple *nt, xy_error *err, xy_cursor *c) {
    xy_frame frame;
    xy_status s = xy_frame_open(err, c, 0, &frame);
    if (s) return s;
    xy_nt_group *g = &nt->groups[nt->group_count];
    g->first_entry = xy_le64(c);
    g->entries = xy_le64(c);
    g->clusters = xy_le32(c);
    g->length = xy_le64(c);
    s = xy_read_locator(err, c, &g->link);
    if (s) return s;
    if (g->first_entry != nt->entries || g->entries > ((uint64_t)1 << 52) - nt->entries)
        return xy_fail(err, XY_E_CORRUPT, frame.end,
                       "a cluster group claims %" PRIu64 " entries from %" PRIu64
                       ", where entry %" PRIu64 " should come next",
                       g->entries, g->first_entry, nt->entries);
    int32_t before = g > nt->groups ? g[-1].first_number + (int32_t)g[-1].clusters : 0;
    if (g->clusters > (uint32_t)(INT32_MAX - before))
        return xy_fail(err, XY_E_CORRUPT, frame.end, "a cluster group claims %" PRIu32 " clusters",
                       g->clusters);
    g->first_number = before;
    nt->entries += g->entries;
    nt->group_count++;
    return xy_frame_close(err, c, &frame, "a cluster group");
}

/* The list of attribute sets ends the footers of newer versions of the format. */
static xy_status read_attribute_sets(xy_ntuple *nt, xy_error *err, xy_cursor *c) {
    enum { ANCHOR_LENGTH = 4, LEAST_BYTES = 8 };
    xy_frame list, set;
    xy_status s = xy_frame_open(err, c, LEAST_BYTES, &list);
    if (s) return s;
    nt->attribute_sets = xy_new((uint64_t)list.items + 1, sizeof *nt->attribute_sets);
    if (!nt->attribute_sets) return xy_fail(err, XY_E_MEMORY, 0, "no memory for attribute sets");
    for (uint32_t i = 0; i < list.items; i++) {
        xy_locator anchor;
        s = xy_frame_open(err, c, 0, &set);
        if (s) return s;
        xy_take(c, 2 + 2 + ANCHOR_LENGTH); /* after the major and minor version of its schema */
        s = xy_read_locator(err, c, &anchor);
        if (s) return s;
        nt->attribute_sets[nt->attribute_set_count++] = xy_le_string(c);
        s = xy_frame_close(err, c, &set, "an attribute set");
        if (s) return s;
    }
    return xy_frame_close(err, c, &list, "the attribute sets");
}

void xy_nt_put_attribute_sets(const xy_ntuple *nt, xy_buffer *out) {
    size_t mark = xy_tape_list(out);
    for (int32_t i = 0; i < nt->attribute_set_count; i++)
        xy_tape_string(out, nt->attribute_sets[i].text, nt->attribute_sets[i].len);
    xy_tape_list_end(out, mark, (uint32_t)nt->attribute_set_count);
}

xy_status xy_nt_read_footer(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len) {
    xy_cursor c;
    uint64_t checksum;
    xy_status s = xy_envelope_open(nt->file->codec, err, src, len, nt->anchor.footer_length,
                                   XY_ENVELOPE_FOOTER, &nt->footer, &c, &checksum);
    if (!s) s = xy_read_features(err, &c);
    if (s) return s;
    uint64_t header = xy_le64(&c);
    if (!c.bad && header != nt->header_checksum)
        return xy_fail(err, XY_E_CHECKSUM, c.pos - 8, "header and footer do not belong together");
    xy_frame extension, list;
    s = xy_frame_open(err, &c, 0, &extension);
    if (!s && xy_left(&c) > 0) s = xy_nt_read_schema(nt, err, &c);
    if (!s) s = xy_frame_close(err, &c, &extension, "the schema extension");
    if (!s) s = xy_nt_link_schema(nt, err);
    if (!s) s = xy_frame_open(err, &c, 8, &list);
    if (s) return s;
    nt->groups = xy_new((uint64_t)list.items + 1, sizeof *nt->groups);
    if (!nt->groups) return xy_fail(err, XY_E_MEMORY, 0, "no memory for cluster groups");
    for (uint32_t i = 0; i < list.items; i++) {
        s = read_group(nt, err, &c);
        if (s) return s;
    }
    s = xy_frame_close(err, &c, &list, "the cluster groups");
    if (s || xy_left(&c) == 0) return s;
    return read_attribute_sets(nt, err, &c);
}
