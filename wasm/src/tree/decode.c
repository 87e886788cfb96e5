#include "decode.h"

#include "../ntuple/pages.h"

#include <inttypes.h>

enum { PLAN_HEAD = 24 };

void xy_plan_write(const xy_program *p, xy_buffer *out) {
    int32_t head[5] = {p->count, p->class_count, (int32_t)p->pool.len, p->root, p->column_count};
    xy_append(out, "XYP1", 4);
    xy_append(out, head, sizeof head);
    xy_append(out, p->nodes, (size_t)p->count * sizeof *p->nodes);
    xy_append(out, p->classes, (size_t)p->class_count * sizeof *p->classes);
    xy_append(out, p->pool.data, p->pool.len);
}

static bool load(xy_program *p, const uint8_t *plan, size_t len) {
    int32_t head[5];
    if (len < PLAN_HEAD || memcmp(plan, "XYP1", 4) != 0) return false;
    memcpy(head, plan + 4, sizeof head);
    for (int i = 0; i < 5; i++)
        if (head[i] < 0) return false;
    size_t nodes = (size_t)head[0] * sizeof *p->nodes;
    size_t classes = (size_t)head[1] * sizeof *p->classes;
    size_t pool = (size_t)head[2];
    if (len != PLAN_HEAD + nodes + classes + pool || head[3] >= head[0]) return false;
    memset(p, 0, sizeof *p);
    p->nodes = malloc(nodes ? nodes : 1);
    p->classes = malloc(classes ? classes : 1);
    if (!p->nodes || !p->classes) return false;
    memcpy(p->nodes, plan + PLAN_HEAD, nodes);
    memcpy(p->classes, plan + PLAN_HEAD + nodes, classes);
    xy_append(&p->pool, plan + PLAN_HEAD + nodes + classes, pool);
    p->count = p->cap = head[0];
    p->class_count = p->class_cap = head[1];
    p->root = head[3];
    p->column_count = head[4];
    return !p->pool.failed;
}

void xy_scratch_free(xy_scratch *scratch) {
    xy_codec_destroy(scratch->codec);
    xy_buffer_free(&scratch->object);
    for (int i = 0; i < scratch->spare_count; i++)
        xy_buffer_free(&scratch->spares[i]);
    memset(scratch, 0, sizeof *scratch);
}

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
    xy_decoder *d = calloc(1, sizeof *d);
    if (d) d->scratch = scratch ? scratch : &d->own;
    if (!d || !load(&d->program, plan, len)) {
        xy_fail(err, XY_E_ARGUMENT, 0, "this is no decode plan, or memory is out");
        xy_decoder_destroy(d);
        return NULL;
    }
    size_t n = (size_t)d->program.column_count + 1;
    if (!d->scratch->codec) d->scratch->codec = xy_codec_create();
    d->marks = calloc(n, sizeof *d->marks);
    d->run.columns.buffers = calloc(n, sizeof *d->run.columns.buffers);
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
    free(d);
}

/* A basket's data and the borders of its entries. Offsets count from the record's start; the last
 * border is the end of the data. */
typedef struct {
    const uint8_t *data;
    size_t size;
    size_t keylen;
    int64_t entries;
    const uint8_t *offsets; /* big-endian int32 each, NULL when entries have one size */
    bool swapped;           /* offsets are in host order */
} basket;

static size_t border(const basket *b, int64_t i) {
    if (i >= b->entries) return b->size;
    uint32_t v;
    memcpy(&v, b->offsets + 4 * i, 4);
    if (!b->swapped) v = __builtin_bswap32(v);
    return v >= b->keylen && v - b->keylen <= b->size ? v - b->keylen : SIZE_MAX;
}

static xy_status open_detached(xy_error *err, const uint8_t *src, size_t len, basket *b) {
    uint32_t head[5];
    if (len < sizeof head) return xy_fail(err, XY_E_TRUNCATED, 0, "a basket is cut off");
    memcpy(head, src, sizeof head);
    size_t offsets = (size_t)head[4] * 4;
    if (len != sizeof head + offsets + head[3])
        return xy_fail(err, XY_E_CORRUPT, 0, "a detached basket has the wrong length");
    b->keylen = head[1];
    b->entries = head[2];
    b->offsets = head[4] >= head[2] && head[4] ? src + sizeof head : NULL;
    b->swapped = true;
    b->data = src + sizeof head + offsets;
    b->size = head[3];
    return XY_OK;
}

static xy_status open_basket(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                             basket *b) {
    memset(b, 0, sizeof *b);
    uint32_t first = 0;
    if (len >= 4) memcpy(&first, src, 4);
    if (len >= 4 && first == 0) return open_detached(err, src, len, b);
    xy_cursor c = xy_cursor_of(src, len);
    xy_key key;
    xy_status s = xy_read_key(err, &c, &key);
    if (s) return s;
    xy_u16(&c); /* version */
    xy_u32(&c); /* buffer size */
    int32_t nev_size = xy_i32(&c);
    if (nev_size < 0) xy_u8(&c); /* I/O features */
    b->entries = xy_i32(&c);
    int32_t last = xy_i32(&c);
    if (c.bad || b->entries < 0 || last < key.keylen || last - key.keylen > key.objlen)
        return xy_fail(err, XY_E_CORRUPT, 0,
                       "this is no basket: %" PRId64 " entries, data to byte %d of %d", b->entries,
                       last, key.keylen + key.objlen);
    s = xy_unpack(d->scratch->codec, err, src, len, &key, &d->scratch->object);
    if (s) return s;
    b->keylen = key.keylen;
    b->size = (size_t)(last - key.keylen);
    b->data = d->scratch->object.data;
    size_t behind = d->scratch->object.len - b->size;
    if (behind >= 4) {
        uint32_t n = xy_be32(b->data + b->size);
        if (n >= (uint64_t)b->entries && n <= (behind - 4) / 4) b->offsets = b->data + b->size + 4;
    }
    return XY_OK;
}

static xy_status bad_border(xy_error *err, const basket *b, int64_t i) {
    return xy_fail(err, XY_E_CORRUPT, b->keylen + b->size,
                   "entry %" PRId64 " of a basket has borders outside of its %zu bytes", i,
                   b->size);
}

/* Entries of one size each: the whole run at once. */
static xy_status run_fixed(xy_decoder *d, const basket *b, size_t size, int64_t from, int64_t to) {
    if ((uint64_t)b->entries * size != b->size)
        return xy_fail(d->run.err, XY_E_CORRUPT, b->keylen,
                       "a basket of %" PRId64 " entries of %zu bytes has %zu bytes", b->entries,
                       size, b->size);
    xy_run_input(&d->run, b->data + (size_t)from * size, (size_t)(to - from) * size, b->keylen);
    return xy_run_columns(&d->run, d->program.root, (size_t)(to - from));
}

/* Room for the offsets of so many rows more, and the last one there is. */
static uint8_t *extend_offsets(xy_decoder *d, const xy_node *list, int64_t rows, int32_t *last) {
    xy_buffer *offsets = &d->run.columns.buffers[list->column];
    *last = 0;
    if (offsets->len == 0)
        xy_append(offsets, last, 4);
    else
        memcpy(last, offsets->data + offsets->len - 4, 4);
    return xy_extend(offsets, (size_t)rows * 4);
}

static xy_status too_many(xy_decoder *d, size_t at) {
    return xy_fail(d->run.err, XY_E_BUDGET, at, "more than 2^31 elements in one piece of a column");
}

/* Numbers up to the end of each entry, without headers: offsets first, then all numbers at once. */
static xy_status run_jagged(xy_decoder *d, const basket *b, const xy_node *rest, int64_t from,
                            int64_t to) {
    int32_t last = 0;
    uint8_t *out = extend_offsets(d, rest, to - from, &last);
    if (!out) return xy_no_memory(&d->run);
    size_t size = (size_t)rest->size;
    size_t start = border(b, from), previous = start;
    for (int64_t i = from; i < to; i++) {
        size_t end = border(b, i + 1);
        if (end == SIZE_MAX || previous == SIZE_MAX || end < previous || (end - previous) % size)
            return bad_border(d->run.err, b, i);
        size_t count = (end - previous) / size;
        if (count > (size_t)(INT32_MAX - last)) return too_many(d, b->keylen + previous);
        last += (int32_t)count;
        memcpy(out + 4 * (i - from), &last, 4);
        previous = end;
    }
    xy_run_input(&d->run, b->data + start, previous - start, b->keylen + start);
    return xy_run_columns(&d->run, rest->first, (previous - start) / size);
}

/* The bytes of entries of one size, which only the number of entries tells. */
static xy_status run_even(xy_decoder *d, const basket *b, const xy_node *rest, int64_t from,
                          int64_t to) {
    if (b->size % (uint64_t)b->entries)
        return xy_fail(
            d->run.err, XY_E_UNSUPPORTED, b->keylen,
            "a basket has no entry offsets, and its %zu bytes do not divide into %" PRId64
            " entries of one size",
            b->size, b->entries);
    size_t size = (size_t)(b->size / (uint64_t)b->entries);
    size_t bytes = size * (size_t)(to - from);
    int32_t last = 0;
    uint8_t *out = extend_offsets(d, rest, to - from, &last);
    if (!out) return xy_no_memory(&d->run);
    if (bytes > (size_t)(INT32_MAX - last)) return too_many(d, b->keylen);
    for (int64_t i = from; i < to; i++) {
        last += (int32_t)size;
        memcpy(out + 4 * (i - from), &last, 4);
    }
    xy_run_input(&d->run, b->data + (size_t)from * size, bytes, b->keylen + (size_t)from * size);
    return xy_run_columns(&d->run, rest->first, bytes);
}

static void set_marks(xy_decoder *d) {
    for (int32_t i = 0; i < d->run.columns.count; i++)
        d->marks[i] = d->run.columns.buffers[i].len;
}

/* What a basket's data can become, tapes included, is bounded by what they are. */
static void set_limits(xy_decoder *d, size_t data) {
    size_t most = xy_most_from(data);
    for (int32_t i = 0; i < d->run.columns.count; i++) {
        size_t mark = d->marks[i];
        d->run.columns.buffers[i].limit = mark < SIZE_MAX - most ? mark + most : SIZE_MAX;
    }
}

static void roll_back(xy_decoder *d) {
    for (int32_t i = 0; i < d->run.columns.count; i++) {
        d->run.columns.buffers[i].len = d->marks[i];
        d->run.columns.buffers[i].failed = false;
    }
}

/* Counts of another branch begin at the basket's first entry, so then all entries are read. */
static xy_status run_entries(xy_decoder *d, const basket *b, int64_t from, int64_t to) {
    xy_run *run = &d->run;
    int64_t first = run->counts ? 0 : from;
    size_t end = border(b, first);
    for (int64_t i = first; i < to; i++) {
        if (i == from) roll_back(d);
        size_t start = end;
        end = border(b, i + 1);
        if (start == SIZE_MAX || end == SIZE_MAX || end < start) return bad_border(run->err, b, i);
        xy_run_input(run, b->data, end, b->keylen);
        run->in.pos = start;
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

/* Entries of varying size without a table of borders: one after another from the first, those
 * before `from` for their length only. */
static xy_status run_sequence(xy_decoder *d, const basket *b, int64_t from, int64_t to) {
    xy_run *run = &d->run;
    const xy_node *root = &d->program.nodes[d->program.root];
    if (root->op == XY_OP_REST && !run->counts && b->entries > 1)
        return xy_fail(run->err, XY_E_UNSUPPORTED, b->keylen,
                       "a basket has no entry offsets, and no branch counts its arrays");
    /* Entries may be empty, but not without bound. */
    enum { MAX_EMPTY = 1 << 20 };
    bool counted = root->op == XY_OP_REST && run->counts;
    if ((to > MAX_EMPTY && to > (int64_t)b->size) || (counted && (uint64_t)to > run->count_len))
        return xy_fail(run->err, XY_E_CORRUPT, b->keylen,
                       "a basket claims %" PRId64 " entries in %zu bytes", to, b->size);
    xy_run_input(run, b->data, b->size, b->keylen);
    for (int64_t i = 0; i < to; i++) {
        if (i == from) roll_back(d);
        xy_status s = xy_run_columns(run, d->program.root, 1);
        if (s) return s;
    }
    if (to == b->entries && run->in.pos != b->size)
        return xy_fail(run->err, XY_E_CORRUPT, b->keylen + run->in.pos,
                       "%zu bytes are left over of a basket without entry offsets",
                       b->size - run->in.pos);
    return XY_OK;
}

xy_status xy_decoder_basket(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                            int64_t from, int64_t to, const int32_t *counts, size_t count_len) {
    d->run.err = err;
    d->run.counts = counts;
    d->run.count_len = count_len;
    d->run.count_pos = 0;
    if (xy_is_paged(&d->program)) {
        set_marks(d);
        xy_status paged = xy_pages_run(d, err, src, len, from, to);
        if (paged) roll_back(d);
        return paged;
    }
    basket b;
    xy_status s = open_basket(d, err, src, len, &b);
    if (s) return s;
    if (to < 0) to = b.entries;
    if (from < 0 || from > to || to > b.entries)
        return xy_fail(err, XY_E_CORRUPT, 0,
                       "entries %" PRId64 " to %" PRId64 " were expected in a basket of %" PRId64,
                       from, to, b.entries);
    if (from == to) return XY_OK;
    set_marks(d);
    set_limits(d, b.size);
    const xy_node *root = &d->program.nodes[d->program.root];
    size_t fixed = xy_fixed_size(&d->program, d->program.root);
    if (fixed)
        s = run_fixed(d, &b, fixed, from, to);
    else if (b.offsets && root->op == XY_OP_REST && root->size > 0 &&
             (!root->count_name || (root->flags & XY_F_BARE)))
        s = run_jagged(d, &b, root, from, to);
    else if (!b.offsets && root->op == XY_OP_REST && (root->flags & XY_F_EVEN))
        s = run_even(d, &b, root, from, to);
    else if (b.offsets)
        s = run_entries(d, &b, from, to);
    else
        s = run_sequence(d, &b, from, to);
    if (s) {
        roll_back(d);
        return s;
    }
    d->rows += to - from;
    return XY_OK;
}
