#include "decoder.h"

#include "../clock.h"
#include "../file/basket.h"
#include "../ntuple/pages.h"

#include <inttypes.h>

static void take_spares(xy_decoder *d) {
    xy_scratch *s = d->scratch;
    for (int32_t i = 0; i < d->run.columns.count && s->spare_count > 0; i++)
        d->run.columns.buffers[i] = s->spares[--s->spare_count];
}

static void give_back(xy_scratch *s, xy_buffer *b) {
    enum { LARGEST = 1 << 20 };
    if (!b->data || b->cap > LARGEST || s->spare_count == XY_SPARES) {
        xy_buffer_free(b);
        return;
    }
    s->spares[s->spare_count++] = (xy_buffer){.data = b->data, .cap = b->cap};
}

xy_decoder *xy_decoder_new(xy_error *err, const uint8_t *plan, size_t len, xy_scratch *scratch) {
    xy_decoder *d = xy_new(1, sizeof *d);
    if (d) d->scratch = scratch ? scratch : &d->own;
    if (!d || !xy_plan_read(&d->program, plan, len)) {
        xy_fail(err, XY_E_ARGUMENT, 0, "this is no decode plan, or memory is out");
        xy_decoder_destroy(d);
        return NULL;
    }
    size_t n = (size_t)d->program.column_count + 1;
    if (!d->scratch->codec) d->scratch->codec = xy_codec_create();
    d->marks = xy_new(2 * (uint64_t)n, sizeof *d->marks);
    d->run.columns.buffers = xy_new(n, sizeof *d->run.columns.buffers);
    if (!d->scratch->codec || !d->marks || !d->run.columns.buffers) {
        xy_fail(err, XY_E_MEMORY, 0, "no memory for a decoder");
        xy_decoder_destroy(d);
        return NULL;
    }
    d->run.program = &d->program;
    d->run.columns.count = d->program.column_count;
    take_spares(d);
    return d;
}

void xy_decoder_reset(xy_decoder *d) {
    for (int32_t i = 0; i < d->run.columns.count; i++)
        d->run.columns.buffers[i].len = 0;
    d->taken += d->rows;
    d->rows = 0;
}

void xy_decoder_destroy(xy_decoder *d) {
    if (!d) return;
    for (int32_t i = 0; i < d->run.columns.count; i++)
        give_back(d->scratch, &d->run.columns.buffers[i]);
    free(d->run.columns.buffers);
    free(d->marks);
    xy_run_free(&d->run);
    xy_program_free(&d->program);
    xy_scratch_free(&d->own);
    xy_buffer_free(&d->gathered);
    free(d);
}

static size_t entry_offset(const xy_basket *b, int64_t i) {
    if (i >= b->entries) return b->size;
    uint32_t v = xy_be32(b->offsets + 4 * i);
    return v >= b->keylen && v - b->keylen <= b->size ? v - b->keylen : SIZE_MAX;
}

static xy_status open_basket(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                             xy_basket *b) {
    xy_key key;
    xy_basket_counts counts;
    double began = xy_clock();
    xy_status s =
        xy_open_basket(d->scratch->codec, err, src, len, &d->scratch->object, &key, &counts, b);
    d->unpack_ms += xy_clock() - began;
    if (s) return s;
    d->opened++;
    d->seek = key.seek_key;
    return XY_OK;
}

static xy_status bad_entry_offset(xy_error *err, const xy_basket *b, int64_t i) {
    return xy_fail(err, XY_E_CORRUPT, b->keylen + b->size,
                   "entry %" PRId64 " of a basket has borders outside of its %zu bytes", i,
                   b->size);
}

/* Starts gathering the bytes of several spans; those of a single one are taken where they lie. */
static void gather_begin(xy_decoder *d) {
    d->gathered.len = 0;
}

static bool gather(xy_decoder *d, const xy_entry_spans *spans, const uint8_t *bytes, size_t size) {
    return spans->count == 1 || xy_append(&d->gathered, bytes, size);
}

/* The gathered bytes as the input of a run, or the bytes of the single span at `at`. */
static void gather_input(xy_decoder *d, const xy_basket *b, const xy_entry_spans *spans, size_t at,
                         size_t size) {
    const uint8_t *bytes = spans->count == 1 ? b->data + at : d->gathered.data;
    xy_run_input(&d->run, bytes, size, b->keylen + at);
}

/* Takes the chosen entries of `size` bytes each as the input of a run; false when memory is out. */
static bool input_of_even(xy_decoder *d, const xy_basket *b, size_t size,
                          const xy_entry_spans *spans) {
    gather_begin(d);
    for (size_t k = 0; k < spans->count; k++) {
        const xy_entry_span *span = &spans->list[k];
        if (!gather(d, spans, b->data + (size_t)span->from * size,
                    (size_t)(span->to - span->from) * size))
            return false;
    }
    gather_input(d, b, spans, (size_t)spans->list[0].from * size, (size_t)spans->rows * size);
    return true;
}

/* Entries of one size each: the whole run at once. */
static xy_status run_fixed(xy_decoder *d, const xy_basket *b, size_t size,
                           const xy_entry_spans *spans) {
    if ((uint64_t)b->entries * size != b->size)
        return xy_fail(d->run.err, XY_E_CORRUPT, b->keylen,
                       "a basket of %" PRId64 " entries of %zu bytes has %zu bytes", b->entries,
                       size, b->size);
    if (!input_of_even(d, b, size, spans)) return xy_no_memory(&d->run);
    return xy_run_columns(&d->run, d->program.root, (size_t)spans->rows);
}

/* Room for the offsets of further rows, and the last one there is. */
static uint8_t *extend_offsets(xy_decoder *d, const xy_node *list, int64_t rows, int32_t *last) {
    xy_buffer *offsets = &d->run.columns.buffers[list->column];
    *last = 0;
    if (offsets->len == 0)
        xy_append(offsets, last, 4);
    else
        memcpy(last, offsets->data + offsets->len - 4, 4);
    return xy_extend_items(offsets, (uint64_t)rows, 4);
}

static xy_status too_many(xy_decoder *d, size_t at) {
    return xy_fail(d->run.err, XY_E_BUDGET, at, "more than 2^31 elements in one piece of a column");
}

/* Entries may be empty, but only a limited number of them: without an offset table, a few bytes
 * could claim any number of entries. */
static xy_status check_empty(xy_decoder *d, const xy_basket *b, int64_t entries) {
    enum { MAX_EMPTY = 1 << 20 };
    if (entries <= MAX_EMPTY || entries <= (int64_t)b->size) return XY_OK;
    return xy_fail(d->run.err, XY_E_CORRUPT, b->keylen,
                   "a basket claims %" PRId64 " entries in %zu bytes", entries, b->size);
}

/* Numbers up to the end of each entry, without headers: offsets first, then all numbers at once. */
static xy_status run_jagged(xy_decoder *d, const xy_basket *b, const xy_node *rest,
                            const xy_entry_spans *spans) {
    int32_t last = 0;
    uint8_t *out = extend_offsets(d, rest, spans->rows, &last);
    if (!out) return xy_no_memory(&d->run);
    size_t size = (size_t)rest->size, bytes = 0;
    gather_begin(d);
    for (size_t k = 0; k < spans->count; k++) {
        const xy_entry_span *span = &spans->list[k];
        size_t start = entry_offset(b, span->from), previous = start;
        for (int64_t i = span->from; i < span->to; i++, out += 4) {
            size_t end = entry_offset(b, i + 1);
            if (end == SIZE_MAX || previous == SIZE_MAX || end < previous ||
                (end - previous) % size)
                return bad_entry_offset(d->run.err, b, i);
            size_t count = (end - previous) / size;
            if (count > (size_t)(INT32_MAX - last)) return too_many(d, b->keylen + previous);
            last += (int32_t)count;
            memcpy(out, &last, 4);
            previous = end;
        }
        if (!gather(d, spans, b->data + start, previous - start)) return xy_no_memory(&d->run);
        bytes += previous - start;
    }
    gather_input(d, b, spans, entry_offset(b, spans->list[0].from), bytes);
    return xy_run_columns(&d->run, rest->first, bytes / size);
}

/* The bytes of entries of one size, which only the number of entries tells. */
static xy_status run_even(xy_decoder *d, const xy_basket *b, const xy_node *rest,
                          const xy_entry_spans *spans) {
    xy_status s = check_empty(d, b, b->entries);
    if (s) return s;
    if (b->size % (uint64_t)b->entries)
        return xy_fail(
            d->run.err, XY_E_UNSUPPORTED, b->keylen,
            "a basket has no entry offsets, and its %zu bytes do not divide into %" PRId64
            " entries of one size",
            b->size, b->entries);
    size_t size = (size_t)(b->size / (uint64_t)b->entries);
    size_t bytes = size * (size_t)spans->rows;
    int32_t last = 0;
    uint8_t *out = extend_offsets(d, rest, spans->rows, &last);
    if (!out) return xy_no_memory(&d->run);
    if (bytes > (size_t)(INT32_MAX - last)) return too_many(d, b->keylen);
    for (int64_t i = 0; i < spans->rows; i++) {
        last += (int32_t)size;
        memcpy(out + 4 * i, &last, 4);
    }
    if (!input_of_even(d, b, size, spans)) return xy_no_memory(&d->run);
    return xy_run_columns(&d->run, rest->first, bytes);
}

static void set_marks(const xy_decoder *d, size_t *marks) {
    for (int32_t i = 0; i < d->run.columns.count; i++)
        marks[i] = d->run.columns.buffers[i].len;
}

/* Limits the memory that a basket's data may become, tapes included, in proportion to its size. */
static void set_limits(xy_decoder *d, size_t data) {
    size_t most = xy_max_from(data);
    for (int32_t i = 0; i < d->run.columns.count; i++) {
        size_t mark = d->marks[i];
        d->run.columns.buffers[i].limit = mark < SIZE_MAX - most ? mark + most : SIZE_MAX;
    }
}

static void roll_back(xy_decoder *d, const size_t *marks) {
    for (int32_t i = 0; i < d->run.columns.count; i++) {
        d->run.columns.buffers[i].len = marks[i];
        d->run.columns.buffers[i].failed = false;
    }
}

/* At the start of a span, removes the entries that were decoded only for their length; marks the
 * lengths of the buffers at the end of a span. */
static const xy_entry_span *enter(xy_decoder *d, const xy_entry_span *span, int64_t entry) {
    size_t *kept = d->marks + d->run.columns.count;
    if (entry == span->to) {
        set_marks(d, kept);
        span++;
    }
    if (entry == span->from) roll_back(d, kept);
    return span;
}

/* Counts of another branch begin at the basket's first entry, so with them all entries are read. */
static xy_status run_entries(xy_decoder *d, const xy_basket *b, const xy_entry_spans *spans) {
    xy_run *run = &d->run;
    const xy_entry_span *span = spans->list;
    int64_t i = run->counts ? 0 : span->from;
    int64_t last = spans->list[spans->count - 1].to;
    set_marks(d, d->marks + run->columns.count);
    for (; i < last; i++) {
        span = enter(d, span, i);
        if (!run->counts && i < span->from) i = span->from;
        size_t start = entry_offset(b, i), end = entry_offset(b, i + 1);
        if (start == SIZE_MAX || end == SIZE_MAX || end < start)
            return bad_entry_offset(run->err, b, i);
        xy_run_input(run, b->data, end, b->keylen);
        run->in.pos = start;
        if (b->were) run->origin = xy_be32(b->were + 4 * i) - start; /* may wrap around */
        xy_status s = xy_run_columns(run, d->program.root, 1);
        if (s) return s;
        if (run->in.pos != end)
            return xy_fail(run->err, XY_E_CORRUPT, b->keylen + run->in.pos,
                           "%zu bytes are left over of entry %" PRId64
                           " of a basket: it has another form than the branch says",
                           end - run->in.pos, i);
    }
    return XY_OK;
}

/* Entries of varying size without an offset table: decoded one after another from the first,
 * those outside of the spans only for their length. */
static xy_status run_sequence(xy_decoder *d, const xy_basket *b, const xy_entry_spans *spans) {
    xy_run *run = &d->run;
    const xy_node *root = &d->program.nodes[d->program.root];
    int64_t to = spans->list[spans->count - 1].to;
    if (root->op == XY_OP_REST && !run->counts && b->entries > 1)
        return xy_fail(run->err, XY_E_UNSUPPORTED, b->keylen,
                       "a basket has no entry offsets, and no branch counts its arrays");
    bool counted = root->op == XY_OP_REST && run->counts;
    xy_status s = check_empty(d, b, to);
    if (s) return s;
    if (counted && (uint64_t)to > run->count_len)
        return xy_fail(run->err, XY_E_CORRUPT, b->keylen,
                       "entries up to %" PRId64 " are wanted where %zu are counted", to,
                       run->count_len);
    xy_run_input(run, b->data, b->size, b->keylen);
    const xy_entry_span *span = spans->list;
    set_marks(d, d->marks + run->columns.count);
    for (int64_t i = 0; i < to; i++) {
        span = enter(d, span, i);
        s = xy_run_columns(run, d->program.root, 1);
        if (s) return s;
    }
    if (to == b->entries && run->in.pos != b->size)
        return xy_fail(run->err, XY_E_CORRUPT, b->keylen + run->in.pos,
                       "%zu bytes are left over of a basket without entry offsets",
                       b->size - run->in.pos);
    return XY_OK;
}

/* Spans must ascend and lie within the entries; sums up their rows. */
static bool check_spans(xy_entry_spans *spans, int64_t entries) {
    int64_t at = 0;
    spans->rows = 0;
    for (size_t i = 0; i < spans->count; i++) {
        const xy_entry_span *span = &spans->list[i];
        bool empty = span->from == span->to && spans->count > 1;
        if (span->from < at || span->to < span->from || span->to > entries || empty) return false;
        spans->rows += span->to - span->from;
        at = span->to;
    }
    return true;
}

xy_status xy_decoder_spans(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                           const xy_entry_span *list, size_t count, const int32_t *counts,
                           size_t count_len) {
    if (count == 0) return XY_OK;
    d->run.err = err;
    d->run.counts = counts;
    d->run.count_len = count_len;
    d->run.count_pos = 0;
    xy_entry_spans spans = {.list = list, .count = count};
    bool paged = xy_is_paged(&d->program);
    xy_basket b = {0};
    xy_status s =
        paged ? xy_pages_entries(err, src, len, &b.entries) : open_basket(d, err, src, len, &b);
    if (s) return s;
    xy_entry_span whole = {list[0].from, b.entries};
    if (count == 1 && list[0].to < 0) spans.list = &whole;
    if (!check_spans(&spans, b.entries))
        return xy_fail(
            err, XY_E_CORRUPT, 0, "entries %" PRId64 " to %" PRId64 " were expected %s of %" PRId64,
            list[0].from, list[count - 1].to, paged ? "in a cluster" : "in a basket", b.entries);
    if (spans.rows == 0) return XY_OK;
    set_marks(d, d->marks);
    if (!paged) set_limits(d, b.size);
    xy_run_allow(&d->run, paged ? len : b.size);
    const xy_node *root = &d->program.nodes[d->program.root];
    size_t fixed = paged ? 0 : xy_fixed_size(&d->program, d->program.root);
    if (!paged && !b.offsets && b.entries > 1 && (root->flags & XY_F_OFFSETS))
        return xy_fail(err, XY_E_CORRUPT, b.keylen + b.size,
                       "a basket has lost the offsets of its %" PRId64 " entries", b.entries);
    if (paged)
        s = xy_pages_run(d, err, src, len, &spans);
    else if (fixed)
        s = run_fixed(d, &b, fixed, &spans);
    else if (b.offsets && root->op == XY_OP_REST && root->size > 0 &&
             (!root->count_name || (root->flags & XY_F_BARE)))
        s = run_jagged(d, &b, root, &spans);
    else if (!b.offsets && root->op == XY_OP_REST && (root->flags & XY_F_EVEN))
        s = run_even(d, &b, root, &spans);
    else if (b.offsets)
        s = run_entries(d, &b, &spans);
    else
        s = run_sequence(d, &b, &spans);
    if (s) {
        roll_back(d, d->marks);
        return s;
    }
    d->rows += spans.rows;
    return XY_OK;
}

xy_status xy_decoder_basket(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                            int64_t from, int64_t to, const int32_t *counts, size_t count_len) {
    const xy_entry_span span = {from, to};
    return xy_decoder_spans(d, err, src, len, &span, 1, counts, count_len);
}
