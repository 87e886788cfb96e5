#include "pieces.h"

#include "encoding.h"
#include "entry_offsets.h"
#include "pages.h"

#include <inttypes.h>

/* When every column has a fixed number of elements for each entry, a cluster is divided into
 * pieces of about PIECE_BYTES decoded bytes; otherwise it is one piece, because only its offsets
 * tell which elements to read. */
enum { PIECE_BYTES = 1 << 20, MAX_HEADS = 1 << 28 };

void xy_nt_pieces_free(xy_nt_pieces *p) {
    xy_buffer *all[] = {&p->firsts,     &p->clusters, &p->from,  &p->to,   &p->head_ends,
                        &p->range_ends, &p->heads,    &p->seeks, &p->sizes};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        xy_buffer_free(all[i]);
}

/* Adds the bytes of a page, joined to those of the page before it when they follow each other in
 * the file. */
static void put_range(xy_nt_pieces *out, double seek, double size) {
    uint32_t before = 0; /* ranges of the pieces before */
    if (out->range_ends.len)
        memcpy(&before, out->range_ends.data + out->range_ends.len - sizeof before, sizeof before);
    size_t last = out->seeks.len - sizeof seek;
    if (out->seeks.len > before * sizeof seek && !out->seeks.failed && !out->sizes.failed) {
        double offset, length;
        memcpy(&offset, out->seeks.data + last, sizeof offset);
        memcpy(&length, out->sizes.data + last, sizeof length);
        if (offset + length == seek) {
            length += size;
            memcpy(out->sizes.data + last, &length, sizeof length);
            return;
        }
    }
    xy_append(&out->seeks, &seek, sizeof seek);
    xy_append(&out->sizes, &size, sizeof size);
}

/* The pages of the elements from..to, which count from the cluster's first; all when from > to. */
static xy_status put_column(const xy_ntuple *nt, const xy_nt_source *s, uint64_t from, uint64_t to,
                            xy_buffer *columns, xy_buffer *pages, xy_nt_pieces *out) {
    xy_piece_column info = {.bits = -1};
    if (s->column) {
        info.type = s->column->type;
        info.bits = xy_nt_bits(s->column);
        info.column = s->id;
        info.min = s->column->min;
        info.max = s->column->max;
        info.lead = s->lead;
    }
    bool all = from > to;
    uint64_t start = s->lead;
    for (uint32_t i = 0; s->range && i < s->range->page_count; i++) {
        const xy_nt_page *page = &nt->pages[s->range->first_page + i];
        uint64_t end = start + xy_nt_page_elements(page);
        if (end > start && (all || (from < to && start < to && end > from))) {
            if (info.pages++ == 0) info.first = start - s->lead;
            xy_append(pages, page, sizeof *page);
            uint64_t size = xy_nt_stored_bytes(page);
            if (size > 0) put_range(out, (double)page->offset, (double)size);
        }
        start = end;
    }
    if (info.pages == 0) info.first = start - s->lead;
    xy_append(columns, &info, sizeof info);
    return XY_OK;
}

static xy_status put_piece(const xy_ntuple *nt, const xy_nt_needs *needs, int32_t index,
                           uint64_t from, uint64_t to, xy_nt_pieces *out) {
    const xy_nt_cluster *cluster = &nt->clusters[index];
    xy_buffer columns = {0}, pages = {0};
    for (int32_t i = 0; i < needs->count; i++) {
        const xy_nt_need *need = &needs->list[i];
        xy_nt_source s = xy_nt_source_of(nt, need, cluster);
        uint64_t first = 1, end = 0;
        if (!xy_nt_elements(nt, needs, i, cluster, from, to, &first, &end)) first = 1, end = 0;
        if (need->offsets && first > 0 && first < end) first--;
        put_column(nt, &s, first, end, &columns, &pages, out);
    }
    xy_piece_head head = {.magic = XY_PIECE_MAGIC,
                          .bytes = (uint32_t)(sizeof head + columns.len + pages.len),
                          .columns = (uint32_t)needs->count,
                          .cluster = (uint32_t)cluster->number,
                          .entries = cluster->entries};
    xy_append(&out->heads, &head, sizeof head);
    xy_append(&out->heads, columns.data, columns.len);
    xy_append(&out->heads, pages.data, pages.len);
    out->heads.failed |= columns.failed || pages.failed;
    xy_buffer_free(&columns);
    xy_buffer_free(&pages);
    double first = (double)cluster->first_entry, limits[2] = {(double)from, (double)to};
    xy_append(&out->clusters, &cluster->number, 4);
    xy_append(&out->firsts, &first, 8);
    xy_append(&out->from, &limits[0], 8);
    xy_append(&out->to, &limits[1], 8);
    xy_append_u32(&out->head_ends, (uint32_t)out->heads.len);
    xy_append_u32(&out->range_ends, (uint32_t)(out->seeks.len / 8));
    out->count++;
    return XY_OK;
}

/* The entry after which a cluster is divided that can be: at the end of a page of the widest
 * column where that is not too far. Entries that this column does not have are one piece, however
 * many the cluster claims. */
static uint64_t next_cut(const xy_ntuple *nt, const xy_nt_needs *needs,
                         const xy_nt_cluster *cluster, uint64_t from, uint64_t to) {
    uint64_t bits = 0, widest = 0;
    int32_t which = -1;
    for (int32_t i = 0; i < needs->count; i++) {
        const xy_nt_need *need = &needs->list[i];
        xy_nt_source s = xy_nt_source_of(nt, need, cluster);
        if (need->repetition == 0) return to;
        if (!s.column) continue;
        uint64_t own = need->repetition * (uint64_t)xy_nt_bits(s.column);
        if (own > widest) widest = own, which = i;
        bits += own;
    }
    if (bits == 0) return to;
    uint64_t step = (uint64_t)PIECE_BYTES * 8 / bits;
    if (step == 0) step = 1;
    xy_nt_source s = xy_nt_source_of(nt, &needs->list[which], cluster);
    uint64_t end = s.lead, cut = 0, repetition = needs->list[which].repetition;
    uint64_t there = (end + (s.range ? s.range->elements : 0)) / repetition;
    if (from >= there) return to;
    if (there < to) to = there;
    if (to - from <= step) return to;
    for (uint32_t i = 0; s.range && i < s.range->page_count; i++) {
        end += xy_nt_page_elements(&nt->pages[s.range->first_page + i]);
        if (end / repetition > from + step) break;
        if (end % repetition == 0) cut = end / repetition;
    }
    return cut > from + step / 4 && cut < to ? cut : from + step;
}

/* State of a need's column while entries ascend: page `page` (-1: not stored) ends before
 * element `end`. */
typedef struct {
    xy_nt_source s;
    uint64_t end;
    int64_t page;
} place;

/* The page of an element. Elements are asked for in ascending order. */
static int64_t page_of(const xy_ntuple *nt, place *p, uint64_t element) {
    uint32_t count = p->s.range ? p->s.range->page_count : 0;
    while (p->end <= element && p->page + 1 < count)
        p->end += xy_nt_page_elements(&nt->pages[p->s.range->first_page + ++p->page]);
    return p->page;
}

/* Whether entry `next` belongs to a piece that ends with entry `last`: they share a page, or no
 * page of any column lies between theirs. Always true when lists make a column's elements
 * unknown. */
static bool joins(const xy_ntuple *nt, const xy_nt_needs *needs, place *places, uint64_t last,
                  uint64_t next) {
    bool near = true, shared = false;
    for (int32_t i = 0; i < needs->count; i++) {
        const xy_nt_need *need = &needs->list[i];
        if (need->repetition == 0) return true;
        int64_t before = page_of(nt, &places[i], xy_nt_times(last + 1, need->repetition) - 1);
        uint64_t first = xy_nt_times(next, need->repetition);
        if (need->offsets && first > 0) first--;
        int64_t behind = page_of(nt, &places[i], first);
        if (before >= 0 && before == behind) shared = true;
        if (behind > before + 1) near = false;
    }
    return near || shared;
}

/* The spans of chosen entries, as they are used up. */
typedef struct {
    const double *at, *end;
    uint64_t from; /* entries before this one are done */
} wanted;

/* The next wanted entries within a cluster, counted from its first; false for none. */
static bool next_span(wanted *w, const xy_nt_cluster *cluster, uint64_t *from, uint64_t *to) {
    uint64_t behind = cluster->first_entry + cluster->entries;
    if (w->from < cluster->first_entry) w->from = cluster->first_entry;
    while (w->at < w->end && (uint64_t)w->at[1] <= w->from)
        w->at += 2;
    if (w->at == w->end) return false;
    uint64_t first = (uint64_t)w->at[0] > w->from ? (uint64_t)w->at[0] : w->from;
    uint64_t last = (uint64_t)w->at[1] < behind ? (uint64_t)w->at[1] : behind;
    if (first >= last) return false;
    *from = first - cluster->first_entry;
    *to = last - cluster->first_entry;
    return true;
}

/* Lists the pieces of a cluster; with `requests`, lists the offset pages that would make them
 * smaller instead. */
static xy_status list_cluster(const xy_ntuple *nt, xy_error *err, const xy_nt_needs *needs,
                              int32_t index, wanted *w, place *places, xy_nt_pieces *out,
                              xy_nt_offset_pages *requests) {
    const xy_nt_cluster *cluster = &nt->clusters[index];
    for (int32_t i = 0; i < needs->count; i++) {
        xy_nt_source s = xy_nt_source_of(nt, &needs->list[i], cluster);
        places[i] = (place){.s = s, .end = s.lead, .page = -1};
    }
    uint64_t from, to, next, end;
    bool more = next_span(w, cluster, &from, &to);
    while (more) {
        w->from = cluster->first_entry + to;
        while ((more = next_span(w, cluster, &next, &end)) &&
               joins(nt, needs, places, to - 1, next)) {
            to = end;
            w->from = cluster->first_entry + to;
        }
        while (from < to) {
            uint64_t cut = next_cut(nt, needs, cluster, from, to);
            if (requests)
                xy_nt_request_offset_pages(nt, needs, cluster, from, cut, requests);
            else
                put_piece(nt, needs, index, from, cut, out);
            from = cut;
            if (requests) continue;
            if (out->heads.len > MAX_HEADS || out->seeks.failed || out->heads.failed)
                return xy_fail(err, XY_E_BUDGET, 0,
                               "these entries are in more than %" PRId32
                               " pieces: too many at once",
                               out->count);
        }
        from = next;
        to = end;
    }
    return XY_OK;
}

static bool check_wanted(xy_error *err, const double *spans, size_t span_count) {
    double at = 0;
    for (size_t i = 0; i < span_count; i++) {
        double from = spans[2 * i], to = spans[2 * i + 1];
        if (!(from >= at && to >= from && to <= 0x1p53)) {
            xy_fail(err, XY_E_ARGUMENT, 0, "entries %g to %g", from, to);
            return false;
        }
        at = to;
    }
    return true;
}

/* Whether the page lists of all groups that have wanted entries were read. */
static bool check_read(const xy_ntuple *nt, xy_error *err, const double *spans, size_t span_count) {
    size_t at = 0;
    for (int32_t i = 0; i < nt->group_count && nt->groups_read < nt->group_count; i++) {
        const xy_nt_group *group = &nt->groups[i];
        double first = (double)group->first_entry, end = first + (double)group->entries;
        while (at < span_count && spans[2 * at + 1] <= first)
            at++;
        if (group->read || at == span_count || spans[2 * at] >= end) continue;
        if (!(spans[2 * at] < spans[2 * at + 1]) || group->entries == 0) continue;
        xy_fail(err, XY_E_ARGUMENT, 0, "the page list of cluster group %" PRId32 " was not read",
                i);
        return false;
    }
    return true;
}

static xy_status list_all(const xy_ntuple *nt, xy_error *err, const xy_nt_needs *needs,
                          const double *spans, size_t span_count, xy_nt_pieces *out,
                          xy_nt_offset_pages *requests) {
    if (!check_wanted(err, spans, span_count)) return XY_E_ARGUMENT;
    if (!check_read(nt, err, spans, span_count)) return XY_E_ARGUMENT;
    wanted w = {.at = spans, .end = spans + 2 * span_count};
    place *places = xy_new((uint64_t)needs->count + 1, sizeof *places);
    if (!places) return xy_fail(err, XY_E_MEMORY, 0, "no memory for a list of pieces");
    xy_status s = XY_OK;
    for (int32_t i = 0; i < nt->cluster_count && !s; i++)
        s = list_cluster(nt, err, needs, i, &w, places, out, requests);
    free(places);
    return s;
}

xy_status xy_nt_list_pieces(const xy_ntuple *nt, xy_error *err, const xy_nt_needs *needs,
                            const double *spans, size_t span_count, xy_nt_pieces *out) {
    xy_status s = list_all(nt, err, needs, spans, span_count, out, NULL);
    if (s) return s;
    const xy_buffer *all[] = {&out->firsts,    &out->clusters,   &out->from, &out->to,
                              &out->head_ends, &out->range_ends, &out->sizes};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->failed) return xy_fail(err, XY_E_MEMORY, 0, "no memory for the list of pieces");
    return XY_OK;
}

xy_status xy_nt_list_offset_pages(const xy_ntuple *nt, xy_error *err, const xy_nt_needs *needs,
                                  const double *spans, size_t span_count, xy_nt_offset_pages *out) {
    xy_nt_pieces none = {0};
    xy_status s = list_all(nt, err, needs, spans, span_count, &none, out);
    if (!s &&
        (out->heads.failed || out->head_ends.failed || out->seeks.failed || out->sizes.failed))
        s = xy_fail(err, XY_E_MEMORY, 0, "no memory for the list of pages");
    return s;
}

void xy_nt_add_sizes(const xy_ntuple *nt, int32_t column, xy_nt_sizes *out) {
    int bits = xy_nt_bits(&nt->columns[column]);
    for (int32_t i = 0; i < nt->cluster_count; i++) {
        const xy_nt_range *range = xy_nt_range_of(nt, &nt->clusters[i], column);
        if (!range || range->suppressed) continue;
        out->pages += range->page_count;
        if (range->page_count) out->compression = range->compression;
        for (uint32_t k = 0; k < range->page_count; k++) {
            const xy_nt_page *page = &nt->pages[range->first_page + k];
            out->stored += xy_nt_stored_bytes(page);
            out->length += xy_page_bytes(bits, xy_nt_page_elements(page));
        }
    }
}
