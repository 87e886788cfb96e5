/* The exported functions for the fields of RNTuples: their table, plans and pages. */
#include "ctx.h"

#include "../ntuple/pages.h"
#include "../ntuple/pieces.h"
#include "../tree/tree.h"

/* Lists of texts, one of each field in depth-first order. */
static void put_texts(const xy_ntuple *nt, xy_buffer *out, const char *key, size_t member) {
    xy_texts texts = {0};
    for (int32_t i = 0; i < nt->field_count; i++) {
        xy_str text;
        memcpy(&text, (const uint8_t *)&nt->fields[nt->order[i]] + member, sizeof text);
        xy_texts_add(&texts, text);
    }
    xy_texts_put(out, key, &texts);
}

static void put_types(const xy_ntuple *nt, xy_buffer *out) {
    xy_texts texts = {0};
    for (int32_t i = 0; i < nt->field_count; i++) {
        const xy_nt_field *f = &nt->fields[nt->order[i]];
        xy_str text = f->alias.len ? f->alias : f->type;
        if (!text.len) {
            const char *untyped = f->role == XY_NT_COLLECTION ? "collection" : "record";
            text = (xy_str){untyped, strlen(untyped)};
        }
        xy_texts_add(&texts, text);
    }
    xy_texts_put(out, "types", &texts);
}

static void put_numbers(const xy_ntuple *nt, xy_buffer *out, const char *key, int dtype,
                        const double *values) {
    xy_tape_key(out, key);
    uint8_t *data = xy_tape_array(out, dtype, (uint32_t)nt->field_count);
    for (int32_t i = 0; data && i < nt->field_count; i++) {
        if (dtype == XY_F64) {
            memcpy(data + 8 * (size_t)i, &values[i], 8);
        } else if (dtype == XY_I32) {
            /* Columns that several fields project can have more pages than an int32 counts. */
            int32_t whole = values[i] < INT32_MAX ? (int32_t)values[i] : INT32_MAX;
            memcpy(data + 4 * (size_t)i, &whole, 4);
        } else {
            data[i] = (uint8_t)values[i]; /* a kind: 0 to 3 */
        }
    }
}

static void find_kinds(const xy_ntuple *nt, double *kinds) {
    for (int32_t i = 0; i < nt->field_count; i++) {
        xy_program p;
        xy_program_init(&p);
        xy_compiler c = {.classes = nt->file->classes, .program = &p, .columnar = true};
        xy_nt_needs needs = {0};
        bool done = xy_nt_plan(&c, nt, i, &needs);
        kinds[i] = !done || xy_program_error(&p, p.root) ? 2 : xy_program_kind(&p);
        free(needs.list);
        xy_program_free(&p);
    }
}

enum { PARENTS, DEPTHS, PAGES, ENTRIES, TOTAL, STORED, COMPRESS, KINDS, LISTS };

/* Numbers of the fields in depth-first order; sizes include those of the fields below. */
static void count_sizes(const xy_ntuple *nt, double *lists, size_t n) {
    for (int32_t i = nt->field_count - 1; i >= 0; i--) {
        const xy_nt_field *f = &nt->fields[nt->order[i]];
        xy_nt_sizes sizes = {0};
        for (int32_t k = 0; k < f->column_count; k++)
            xy_nt_add_sizes(nt, nt->attached[f->first_column + k], &sizes);
        int32_t parent = f->parent < 0 ? -1 : nt->fields[f->parent].position;
        size_t at = (size_t)i;
        lists[PARENTS * n + at] = parent;
        lists[DEPTHS * n + at] = f->depth;
        lists[PAGES * n + at] += (double)sizes.pages;
        lists[ENTRIES * n + at] = (double)nt->entries;
        lists[TOTAL * n + at] += (double)sizes.length;
        lists[STORED * n + at] += (double)sizes.stored;
        if (sizes.pages) lists[COMPRESS * n + at] = sizes.compression;
        if (parent < 0) continue;
        for (int k = PAGES; k <= STORED; k++)
            if (k != ENTRIES) lists[(size_t)k * n + (size_t)parent] += lists[(size_t)k * n + at];
        if (lists[COMPRESS * n + (size_t)parent] == 0)
            lists[COMPRESS * n + (size_t)parent] = lists[COMPRESS * n + at];
    }
}

int32_t xy_ntuple_describe(xy_ctx *ctx, const xy_ntuple *nt) {
    if (!xy_ctx_expect(ctx, nt->order != NULL)) return xy_ctx_end(ctx);
    xy_buffer *out = &ctx->out;
    size_t n = (size_t)nt->field_count;
    double *lists = xy_new(n * LISTS + 1, sizeof *lists);
    if (!lists) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for %zu fields", n);
        return xy_ctx_end(ctx);
    }
    count_sizes(nt, lists, n);
    xy_nt_sizes all = {0};
    for (int32_t i = 0; i < nt->column_count; i++)
        xy_nt_add_sizes(nt, i, &all);
    size_t mark = xy_tape_object(out, 0, "", 0);
    xy_put_str(out, "name", nt->name);
    xy_put_str(out, "title", nt->description);
    xy_put_str(out, "className", (xy_str){"ROOT::RNTuple", 13});
    xy_put_number(out, "entries", (double)nt->entries);
    xy_put_number(out, "totalBytes", (double)all.length);
    xy_put_number(out, "storedBytes", (double)all.stored);
    if (nt->attribute_set_count > 0) {
        xy_tape_key(out, "attributeSets");
        xy_nt_put_attribute_sets(nt, out);
    }
    xy_tape_key(out, "branches");
    size_t table = xy_tape_object(out, 0, "", 0);
    put_texts(nt, out, "names", offsetof(xy_nt_field, name));
    put_texts(nt, out, "titles", offsetof(xy_nt_field, description));
    put_types(nt, out);
    find_kinds(nt, lists + KINDS * n);
    static const struct {
        const char *key;
        int dtype, list;
    } numbers[] = {{"parents", XY_I32, PARENTS},    {"depths", XY_I32, DEPTHS},
                   {"baskets", XY_I32, PAGES},      {"kinds", XY_U8, KINDS},
                   {"entries", XY_F64, ENTRIES},    {"totalBytes", XY_F64, TOTAL},
                   {"storedBytes", XY_F64, STORED}, {"compress", XY_F64, COMPRESS}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put_numbers(nt, out, numbers[i].key, numbers[i].dtype, lists + (size_t)numbers[i].list * n);
    xy_tape_object_end(out, table);
    xy_tape_object_end(out, mark);
    free(lists);
    return xy_ctx_end(ctx);
}

/* A compiled field, and the columns that it needs. */
typedef struct {
    xy_program program;
    xy_compiler compiler;
    xy_nt_needs needs;
} field_plan;

/* Begins a call and compiles a field; false after recording the reason why it failed. The caller
 * ends the call with end_field in any case. */
static bool begin_field(xy_ctx *ctx, const xy_ntuple *nt, int32_t field, field_plan *p) {
    xy_ctx_begin(ctx);
    memset(p, 0, sizeof *p);
    xy_program_init(&p->program);
    p->compiler =
        (xy_compiler){.classes = nt->file->classes, .program = &p->program, .columnar = true};
    if (!nt->order || field < 0 || field >= nt->field_count)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "field %d of %d", (int)field, (int)nt->field_count);
    else if (!xy_nt_plan(&p->compiler, nt, field, &p->needs))
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a decode plan");
    else
        return xy_check_plan(ctx, &p->program);
    return false;
}

static int32_t end_field(xy_ctx *ctx, field_plan *p) {
    free(p->needs.list);
    xy_program_free(&p->program);
    return xy_ctx_end(ctx);
}

int32_t xy_ntuple_plan(xy_ctx *ctx, const xy_ntuple *nt, int32_t field) {
    field_plan p;
    if (begin_field(ctx, nt, field, &p)) {
        if (p.program.dynamic) xy_compile_all(&p.compiler);
        xy_put_plan(ctx, &p.program, -1);
    }
    return end_field(ctx, &p);
}

int32_t xy_ntuple_offset_pages(xy_ctx *ctx, const xy_ntuple *nt, int32_t field, const double *spans,
                               size_t span_count) {
    field_plan p;
    xy_nt_offset_pages pages = {0};
    if (begin_field(ctx, nt, field, &p) &&
        !xy_nt_list_offset_pages(nt, &ctx->err, &p.needs, spans, span_count, &pages)) {
        xy_buffer *out = &ctx->out;
        size_t mark = xy_tape_object(out, 0, "", 0);
        xy_put_number(out, "spared", pages.spared);
        xy_put_array(out, "headEnds", XY_I32, &pages.head_ends);
        xy_put_array(out, "heads", XY_U8, &pages.heads);
        xy_put_array(out, "seeks", XY_F64, &pages.seeks);
        xy_put_array(out, "sizes", XY_F64, &pages.sizes);
        xy_tape_object_end(out, mark);
    }
    xy_nt_offset_pages_free(&pages);
    return end_field(ctx, &p);
}

int32_t xy_ntuple_add_offset_page(xy_ctx *ctx, xy_ntuple *nt, const uint8_t *src, size_t len) {
    if (xy_ctx_expect(ctx, nt->order != NULL)) xy_nt_add_offset_page(nt, &ctx->err, src, len);
    return xy_ctx_end(ctx);
}

int32_t xy_ntuple_pieces(xy_ctx *ctx, const xy_ntuple *nt, int32_t field, const double *spans,
                         size_t span_count) {
    field_plan p;
    xy_nt_pieces pieces = {0};
    if (begin_field(ctx, nt, field, &p) &&
        !xy_nt_list_pieces(nt, &ctx->err, &p.needs, spans, span_count, &pieces)) {
        xy_buffer *out = &ctx->out;
        size_t mark = xy_tape_object(out, 0, "", 0);
        xy_put_array(out, "clusters", XY_I32, &pieces.clusters);
        xy_put_array(out, "firsts", XY_F64, &pieces.firsts);
        xy_put_array(out, "from", XY_F64, &pieces.from);
        xy_put_array(out, "to", XY_F64, &pieces.to);
        xy_put_array(out, "headEnds", XY_I32, &pieces.head_ends);
        xy_put_array(out, "rangeEnds", XY_I32, &pieces.range_ends);
        xy_put_array(out, "heads", XY_U8, &pieces.heads);
        xy_put_array(out, "seeks", XY_F64, &pieces.seeks);
        xy_put_array(out, "sizes", XY_F64, &pieces.sizes);
        xy_tape_object_end(out, mark);
    }
    xy_nt_pieces_free(&pieces);
    return end_field(ctx, &p);
}
