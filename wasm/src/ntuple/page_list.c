/* Page list envelopes: the clusters of a group, and for each of them and each column its pages. */
#include "ntuple.h"

#include <inttypes.h>

static xy_status read_cluster(xy_ntuple *nt, xy_error *err, xy_cursor *c, const xy_nt_group *group,
                              uint32_t index) {
    xy_frame frame;
    xy_status s = xy_frame_open(err, c, 0, &frame);
    if (s) return s;
    if (!xy_grow((void **)&nt->clusters, &nt->cluster_cap, nt->cluster_count, sizeof *nt->clusters))
        return xy_fail(err, XY_E_MEMORY, c->pos, "no memory for clusters");
    xy_nt_cluster *cl = &nt->clusters[nt->cluster_count];
    memset(cl, 0, sizeof *cl);
    cl->number = group->first_number + (int32_t)index;
    cl->first_entry = xy_le64(c);
    uint64_t word = xy_le64(c);
    cl->entries = word & 0x00ffffffffffffffu;
    if (word >> 56 & 1)
        return xy_fail(err, XY_E_VERSION, c->pos - 1,
                       "cluster %" PRId32 " is sharded, which is not known here", cl->number);
    uint64_t expected = index ? cl[-1].first_entry + cl[-1].entries : group->first_entry;
    uint64_t end = group->first_entry + group->entries;
    bool last = index + 1 == group->clusters;
    if (cl->first_entry != expected || cl->entries > end - expected ||
        (last && cl->entries != end - expected))
        return xy_fail(err, XY_E_CORRUPT, c->pos,
                       "cluster %" PRId32 " has %" PRIu64 " entries from %" PRIu64
                       ", where entry %" PRIu64 " should come next and its group ends at %" PRIu64,
                       cl->number, cl->entries, cl->first_entry, expected, end);
    nt->cluster_count++;
    return xy_frame_close(err, c, &frame, "a cluster");
}

static xy_status read_page(xy_ntuple *nt, xy_error *err, xy_cursor *c, xy_nt_range *range) {
    size_t at = c->pos;
    int32_t count = (int32_t)xy_le32(c);
    xy_locator where;
    xy_status s = xy_read_locator(err, c, &where);
    if (s) return s;
    if (count == INT32_MIN || where.size > INT32_MAX)
        return xy_fail(err, XY_E_CORRUPT, at, "a page has %" PRIu64 " bytes", where.size);
    if (!xy_grow((void **)&nt->pages, &nt->page_cap, nt->page_count, sizeof *nt->pages))
        return xy_fail(err, XY_E_MEMORY, at, "no memory for pages");
    uint32_t elements = (uint32_t)(count < 0 ? -count : count);
    xy_nt_page *page = &nt->pages[nt->page_count++];
    page->offset = where.offset;
    page->size = (uint32_t)where.size;
    page->elements = elements | (count < 0 ? 0x80000000u : 0);
    range->elements += elements;
    range->page_count++;
    return XY_OK;
}

static xy_status read_range(xy_ntuple *nt, xy_error *err, xy_cursor *c) {
    xy_frame list;
    xy_status s = xy_frame_open(err, c, 16, &list);
    if (s) return s;
    if (!xy_grow((void **)&nt->ranges, &nt->range_cap, nt->range_count, sizeof *nt->ranges))
        return xy_fail(err, XY_E_MEMORY, c->pos, "no memory for the columns of clusters");
    xy_nt_range *range = &nt->ranges[nt->range_count++];
    memset(range, 0, sizeof *range);
    range->first_page = (uint32_t)nt->page_count;
    for (uint32_t i = 0; i < list.items; i++) {
        s = read_page(nt, err, c, range);
        if (s) return s;
    }
    range->first = (int64_t)xy_le64(c);
    range->suppressed = range->first < 0;
    if (!range->suppressed) range->compression = xy_le32(c);
    return xy_frame_close(err, c, &list, "a column's pages");
}

static xy_status read_lists(xy_ntuple *nt, xy_error *err, const xy_nt_group *group, xy_cursor *c) {
    xy_frame list, clusters;
    int32_t first = nt->cluster_count;
    xy_status s = xy_frame_open(err, c, 8, &list);
    if (!s && list.items != group->clusters)
        s = xy_fail(err, XY_E_CORRUPT, c->pos,
                    "a page list describes %" PRIu32 " clusters, its group has %" PRIu32,
                    list.items, group->clusters);
    for (uint32_t i = 0; !s && i < list.items; i++)
        s = read_cluster(nt, err, c, group, i);
    if (!s) s = xy_frame_close(err, c, &list, "the clusters");
    if (!s) s = xy_frame_open(err, c, 12, &clusters);
    if (s) return s;
    if (clusters.items != group->clusters)
        return xy_fail(err, XY_E_CORRUPT, c->pos,
                       "a page list has the pages of %" PRIu32 " clusters, its group has %" PRIu32,
                       clusters.items, group->clusters);
    for (uint32_t i = 0; i < clusters.items; i++) {
        xy_frame columns;
        s = xy_frame_open(err, c, 12, &columns);
        if (s) return s;
        xy_nt_cluster *cl = &nt->clusters[first + (int32_t)i];
        cl->first_range = (uint32_t)nt->range_count;
        cl->range_count = columns.items;
        for (uint32_t k = 0; k < columns.items; k++) {
            s = read_range(nt, err, c);
            if (s) return s;
        }
        s = xy_frame_close(err, c, &columns, "a cluster's columns");
        if (s) return s;
    }
    return xy_frame_close(err, c, &clusters, "the page locations");
}

/* Moves the clusters from `first` on, which were read last, to their place in entry order. */
static bool put_in_order(xy_ntuple *nt, int32_t first) {
    int32_t count = nt->cluster_count - first, at = first;
    while (count && at > 0 && nt->clusters[at - 1].number > nt->clusters[first].number)
        at--;
    if (at == first) return true;
    xy_nt_cluster *own = xy_copy(nt->clusters + first, (uint64_t)count, sizeof *own);
    if (!own) return false;
    memmove(nt->clusters + at + count, nt->clusters + at, (size_t)(first - at) * sizeof *own);
    memcpy(nt->clusters + at, own, (size_t)count * sizeof *own);
    free(own);
    return true;
}

xy_status xy_nt_read_page_list(xy_ntuple *nt, xy_error *err, int32_t index, const uint8_t *src,
                               size_t len) {
    if (index < 0 || index >= nt->group_count || nt->groups[index].read)
        return xy_fail(err, XY_E_ARGUMENT, 0, "page list %" PRId32 " of %" PRId32, index,
                       nt->group_count);
    xy_nt_group *group = &nt->groups[index];
    xy_cursor c;
    uint64_t checksum;
    xy_status s = xy_envelope_open(nt->file->codec, err, src, len, group->length,
                                   XY_ENVELOPE_PAGE_LIST, &nt->scratch, &c, &checksum);
    if (s) return s;
    uint64_t header = xy_le64(&c);
    if (!c.bad && header != nt->header_checksum)
        return xy_fail(err, XY_E_CHECKSUM, 8, "header and page list do not belong together");
    int32_t clusters = nt->cluster_count, ranges = nt->range_count, pages = nt->page_count;
    s = read_lists(nt, err, group, &c);
    if (!s && !put_in_order(nt, clusters))
        s = xy_fail(err, XY_E_MEMORY, 0, "no memory for the clusters of a group");
    if (s) {
        nt->cluster_count = clusters;
        nt->range_count = ranges;
        nt->page_count = pages;
        return s;
    }
    group->read = true;
    nt->groups_read++;
    return XY_OK;
}
