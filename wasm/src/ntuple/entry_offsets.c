#include "entry_offsets.h"

#include "../text.h"
#include "encoding.h"
#include "pages.h"

#include <inttypes.h>

/* At most MAX_KNOWN_OFFSETS are cached; when the cache is full, all are dropped and read again
 * when they are needed. */
enum { MAX_KNOWN_OFFSETS = 1 << 20, MAGIC = 0x3142584e };

typedef struct {
    uint32_t magic;
    int32_t cluster, column;
    uint32_t count;
    uint64_t first; /* element of the column, lead included, with which the page begins */
    xy_nt_page page;
} page_request; /* followed by the elements (uint64) */

xy_nt_source xy_nt_source_of(const xy_ntuple *nt, const xy_nt_need *need,
                             const xy_nt_cluster *cluster) {
    xy_nt_source s = {.id = xy_nt_active(nt, &nt->fields[need->field], need->k, cluster)};
    if (s.id < 0) return s;
    s.column = &nt->columns[s.id];
    s.range = xy_nt_range_of(nt, cluster, s.id);
    uint64_t stored = s.range ? s.range->elements : 0;
    uint64_t all = xy_nt_times(cluster->entries, need->repetition);
    /* A column that was added late has leading elements that are zero and have no pages. */
    if ((s.column->deferred || !s.range) && all > stored) s.lead = all - stored;
    return s;
}

/* Index of a known offset; they are sorted by cluster, column and element. */
static int32_t place_of(const xy_ntuple *nt, int32_t cluster, int32_t column, uint64_t element) {
    int32_t low = 0, high = nt->known_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const xy_nt_known_offset *b = &nt->known_offsets[middle];
        bool before = b->cluster != cluster ? b->cluster < cluster
                      : b->column != column ? b->column < column
                                            : b->element < element;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool find_offset(const xy_ntuple *nt, int32_t cluster, const xy_nt_source *s,
                        uint64_t element, uint64_t *value) {
    if (element < s->lead) {
        *value = 0;
        return true;
    }
    int32_t at = place_of(nt, cluster, s->id, element);
    if (at == nt->known_count) return false;
    const xy_nt_known_offset *b = &nt->known_offsets[at];
    if (b->cluster != cluster || b->column != s->id || b->element != element) return false;
    *value = b->value;
    return true;
}

static bool put_offset(xy_ntuple *nt, xy_nt_known_offset known) {
    if (nt->known_count == MAX_KNOWN_OFFSETS) nt->known_count = 0;
    int32_t at = place_of(nt, known.cluster, known.column, known.element);
    if (!xy_grow((void **)&nt->known_offsets, &nt->known_cap, nt->known_count, sizeof known))
        return false;
    xy_nt_known_offset *b = &nt->known_offsets[at];
    if (at < nt->known_count && b->cluster == known.cluster && b->column == known.column &&
        b->element == known.element)
        return true;
    memmove(b + 1, b, (size_t)(nt->known_count - at) * sizeof *b);
    *b = known;
    nt->known_count++;
    return true;
}

bool xy_nt_elements(const xy_ntuple *nt, const xy_nt_needs *needs, int32_t index,
                    const xy_nt_cluster *cluster, uint64_t from, uint64_t to, uint64_t *lo,
                    uint64_t *hi) {
    const xy_nt_need *need = &needs->list[index];
    if (need->above < 0) {
        *lo = xy_nt_times(from, need->repetition);
        *hi = xy_nt_times(to, need->repetition);
        return need->repetition > 0 && *hi < UINT64_MAX;
    }
    uint64_t first, end;
    if (!xy_nt_elements(nt, needs, need->above, cluster, from, to, &first, &end)) return false;
    if (first == end) {
        *lo = *hi = 0;
        return true;
    }
    xy_nt_source s = xy_nt_source_of(nt, &needs->list[need->above], cluster);
    *lo = *hi = 0;
    if (!s.column || (first > 0 && !find_offset(nt, cluster->number, &s, first - 1, lo)) ||
        (end > 0 && !find_offset(nt, cluster->number, &s, end - 1, hi)))
        return false;
    if (*lo > *hi || *hi > ((uint64_t)1 << 60) / need->factor) return false;
    *lo *= need->factor;
    *hi *= need->factor;
    return true;
}

/* Requests the page of an element whose value is not known. */
static void request_page(const xy_ntuple *nt, const xy_nt_cluster *cluster, const xy_nt_source *s,
                         uint64_t element, xy_nt_offset_pages *out) {
    uint64_t known, start = s->lead;
    if (find_offset(nt, cluster->number, s, element, &known)) return;
    for (uint32_t i = 0; s->range && i < s->range->page_count; i++) {
        const xy_nt_page *page = &nt->pages[s->range->first_page + i];
        uint64_t end = start + xy_nt_page_elements(page);
        if (element >= start && element < end) {
            page_request head = {MAGIC, cluster->number, s->id, 1, start, *page};
            double seek = (double)page->offset, size = (double)xy_nt_stored_bytes(page);
            xy_append(&out->heads, &head, sizeof head);
            xy_append(&out->heads, &element, sizeof element);
            xy_append_u32(&out->head_ends, (uint32_t)out->heads.len);
            xy_append(&out->seeks, &seek, 8);
            xy_append(&out->sizes, &size, 8);
            return;
        }
        start = end;
    }
}

/* Whether a need takes its elements from a collection, directly or through others. */
static bool lies_below(const xy_nt_needs *needs, int32_t need, int32_t above) {
    for (int32_t i = needs->list[need].above; i >= 0; i = needs->list[i].above)
        if (i == above) return true;
    return false;
}

void xy_nt_request_offset_pages(const xy_ntuple *nt, const xy_nt_needs *needs,
                                const xy_nt_cluster *cluster, uint64_t from, uint64_t to,
                                xy_nt_offset_pages *out) {
    for (int32_t i = 0; i < needs->count; i++) {
        uint64_t lo, hi;
        const xy_nt_need *need = &needs->list[i];
        if (!need->offsets || !xy_nt_elements(nt, needs, i, cluster, from, to, &lo, &hi)) continue;
        xy_nt_source s = xy_nt_source_of(nt, need, cluster);
        uint64_t all = s.lead + (s.range ? s.range->elements : 0);
        if (!s.column || lo >= hi || hi > all) continue;
        size_t before = out->heads.len;
        if (lo > 0) request_page(nt, cluster, &s, lo - 1, out);
        request_page(nt, cluster, &s, hi - 1, out);
        if (out->heads.len == before) continue;
        double below = 0;
        for (int32_t k = 0; k < needs->count; k++) {
            if (!lies_below(needs, k, i)) continue;
            xy_nt_source child = xy_nt_source_of(nt, &needs->list[k], cluster);
            /* One page at each end is read in any case. */
            for (uint32_t p = 0; child.range && p + 2 < child.range->page_count; p++)
                below += (double)xy_nt_stored_bytes(&nt->pages[child.range->first_page + p]);
        }
        out->spared += below * (1 - (double)(hi - lo) / (double)all);
    }
}

void xy_nt_offset_pages_free(xy_nt_offset_pages *asks) {
    xy_buffer_free(&asks->heads);
    xy_buffer_free(&asks->head_ends);
    xy_buffer_free(&asks->seeks);
    xy_buffer_free(&asks->sizes);
}

xy_status xy_nt_add_offset_page(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len) {
    page_request head = {0};
    if (len >= sizeof head) memcpy(&head, src, sizeof head);
    const uint8_t *elements = src + sizeof head;
    size_t rest = len - sizeof head, n = (size_t)xy_nt_page_elements(&head.page);
    if (len < sizeof head || head.magic != MAGIC || head.column < 0 ||
        head.column >= nt->column_count || head.count > rest / 8 ||
        rest - 8 * (size_t)head.count < xy_nt_stored_bytes(&head.page))
        return xy_fail(err, XY_E_ARGUMENT, 0, "this is not a page that was asked for");
    const xy_nt_column *column = &nt->columns[head.column];
    xy_str name = nt->fields[column->field].name;
    char where[80];
    xy_format(where, sizeof where, "%.*s", (int)(name.len < 60 ? name.len : 60), name.text);
    const uint8_t *data;
    int bits = xy_nt_bits(column);
    xy_status s = xy_page_open(nt->file->codec, err, &head.page, bits, elements + 8 * head.count,
                               where, (uint32_t)head.cluster, &nt->scratch, &data);
    xy_encoding e = {column->type, bits, column->min, column->max};
    for (uint32_t i = 0; !s && i < head.count; i++) {
        uint64_t element, value = 0;
        memcpy(&element, elements + 8 * i, 8);
        if (element < head.first || element - head.first >= n ||
            xy_nt_native(column->type) != XY_U64)
            return xy_fail(err, XY_E_ARGUMENT, 0, "element %" PRIu64 " is not in its page",
                           element);
        size_t at = (size_t)(element - head.first);
        xy_decode_page(&e, data, n, at, at + 1, (uint8_t *)&value);
        xy_nt_known_offset known = {head.cluster, head.column, element, value};
        if (!put_offset(nt, known))
            s = xy_fail(err, XY_E_MEMORY, 0, "no memory for offsets that are known");
    }
    return s;
}
