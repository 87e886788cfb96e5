/* The schema description: lists of fields, columns, alias columns and extra type information. */
#include "ntuple.h"

#include "../streamer/custom.h"

#include <inttypes.h>

enum { MAX_DEPTH = 60 };

static xy_status read_field(xy_ntuple *nt, xy_error *err, xy_cursor *c) {
    xy_frame frame;
    xy_status s = xy_frame_open(err, c, 0, &frame);
    if (s) return s;
    if (!xy_grow((void **)&nt->fields, &nt->field_cap, nt->field_count, sizeof *nt->fields))
        return xy_fail(err, XY_E_MEMORY, c->pos, "no memory for fields");
    xy_nt_field *f = &nt->fields[nt->field_count];
    memset(f, 0, sizeof *f);
    f->first_child = f->last_child = f->next = -1;
    f->version = xy_le32(c);
    f->type_version = xy_le32(c);
    uint32_t parent = xy_le32(c);
    f->role = xy_le16(c);
    f->flags = xy_le16(c);
    f->name = xy_le_string(c);
    f->type = xy_le_string(c);
    f->alias = xy_le_string(c);
    f->description = xy_le_string(c);
    if (f->flags & XY_NT_REPETITIVE) f->array_size = xy_le64(c);
    uint32_t source = f->flags & XY_NT_PROJECTED ? xy_le32(c) : UINT32_MAX;
    if (f->flags & 4) f->checksum = xy_le32(c);
    if (parent > (uint32_t)nt->field_count)
        return xy_fail(err, XY_E_CORRUPT, c->pos,
                       "field %" PRId32 " has parent %" PRIu32 ", which does not come before it",
                       nt->field_count, parent);
    f->parent = parent == (uint32_t)nt->field_count ? -1 : (int32_t)parent;
    f->source = source < INT32_MAX ? (int32_t)source : -1;
    if (f->parent >= 0) {
        xy_nt_field *p = &nt->fields[f->parent];
        f->depth = p->depth + 1;
        if (f->depth > MAX_DEPTH)
            return xy_fail(err, XY_E_BUDGET, c->pos, "fields nest deeper than %d levels",
                           MAX_DEPTH);
        if (p->last_child >= 0)
            nt->fields[p->last_child].next = nt->field_count;
        else
            p->first_child = nt->field_count;
        p->last_child = nt->field_count;
    }
    nt->field_count++;
    return xy_frame_close(err, c, &frame, "a field");
}

static xy_status read_column(xy_ntuple *nt, xy_error *err, xy_cursor *c) {
    xy_frame frame;
    xy_status s = xy_frame_open(err, c, 0, &frame);
    if (s) return s;
    if (!xy_grow((void **)&nt->columns, &nt->column_cap, nt->column_count, sizeof *nt->columns))
        return xy_fail(err, XY_E_MEMORY, c->pos, "no memory for columns");
    xy_nt_column *col = &nt->columns[nt->column_count];
    memset(col, 0, sizeof *col);
    col->type = xy_le16(c);
    col->bits = xy_le16(c);
    uint32_t field = xy_le32(c);
    uint16_t flags = xy_le16(c);
    col->representation = xy_le16(c);
    if (flags & 1) {
        col->deferred = true;
        col->first = xy_le64(c); /* readers count what the clusters lack */
    }
    if (flags & 2) {
        col->min = xy_lef64(c);
        col->max = xy_lef64(c);
    }
    if (field >= (uint32_t)nt->field_count)
        return xy_fail(err, XY_E_CORRUPT, c->pos,
                       "a column belongs to field %" PRIu32 " of %" PRId32, field, nt->field_count);
    col->field = (int32_t)field;
    nt->column_count++;
    return xy_frame_close(err, c, &frame, "a column");
}

static xy_status read_alias(xy_ntuple *nt, xy_error *err, xy_cursor *c) {
    xy_frame frame;
    xy_status s = xy_frame_open(err, c, 0, &frame);
    if (s) return s;
    uint32_t column = xy_le32(c), field = xy_le32(c);
    if (column >= (uint32_t)nt->column_count || field >= (uint32_t)nt->field_count)
        return xy_fail(err, XY_E_CORRUPT, c->pos,
                       "an alias shows from field %" PRIu32 " of %" PRId32 " to column %" PRIu32
                       " of %" PRId32,
                       field, nt->field_count, column, nt->column_count);
    if (!xy_grow((void **)&nt->aliases, &nt->alias_cap, nt->alias_count, sizeof *nt->aliases))
        return xy_fail(err, XY_E_MEMORY, c->pos, "no memory for alias columns");
    nt->aliases[nt->alias_count].column = (int32_t)column;
    nt->aliases[nt->alias_count++].field = (int32_t)field;
    return xy_frame_close(err, c, &frame, "an alias column");
}

/* Streamer infos of classes in streamer fields: a TList as TBuffer::WriteObject writes it. */
static xy_status add_streamers(xy_ntuple *nt, xy_error *err, xy_str content) {
    xy_program program;
    xy_program_init(&program);
    xy_compiler compiler = {.classes = nt->file->classes, .program = &program};
    xy_compile_all(&compiler);
    xy_buffer tape = {0};
    xy_run run;
    xy_run_init(&run, err, &program);
    xy_run_input(&run, (const uint8_t *)content.text, content.len, 0);
    xy_run_allow(&run, content.len);
    run.tape = &tape;
    xy_status s = program.failed ? xy_fail(err, XY_E_MEMORY, 0, "no memory for streamer infos")
                                 : xy_run_pointer(&run);
    if (!s && tape.failed) s = xy_fail(err, XY_E_MEMORY, 0, "no memory for streamer infos");
    if (!s) {
        xy_tape_view view = {tape.data, tape.len};
        s = xy_classes_add(nt->file->classes, err, &view);
        nt->file->compiled = false;
    }
    xy_run_free(&run);
    xy_buffer_free(&tape);
    xy_program_free(&program);
    return s;
}

static xy_status read_extra_type(xy_ntuple *nt, xy_error *err, xy_cursor *c) {
    enum { STREAMER_INFO = 0 };
    xy_frame frame;
    size_t start = c->pos;
    xy_status s = xy_frame_open(err, c, 0, &frame);
    if (s) return s;
    if (!xy_grow((void **)&nt->extra, &nt->extra_cap, nt->extra_count, sizeof *nt->extra))
        return xy_fail(err, XY_E_MEMORY, c->pos, "no memory for extra type information");
    nt->extra[nt->extra_count++] =
        (xy_str){(const char *)c->base + start, (uint32_t)(frame.end - start)};
    uint32_t id = xy_le32(c);
    xy_le32(c); /* type version */
    xy_le_string(c);
    xy_str content = xy_le_string(c);
    if (!c->bad && id == STREAMER_INFO && content.len) s = add_streamers(nt, err, content);
    return s ? s : xy_frame_close(err, c, &frame, "extra type information");
}

xy_status xy_nt_read_schema(xy_ntuple *nt, xy_error *err, xy_cursor *c) {
    static const struct {
        xy_status (*read)(xy_ntuple *, xy_error *, xy_cursor *);
        const char *what;
    } lists[] = {{read_field, "the fields"},
                 {read_column, "the columns"},
                 {read_alias, "the alias columns"},
                 {read_extra_type, "the extra type information"}};
    for (int k = 0; k < 4; k++) {
        xy_frame list;
        xy_status s = xy_frame_open(err, c, 8, &list);
        for (uint32_t i = 0; !s && i < list.items; i++)
            s = lists[k].read(nt, err, c);
        if (!s) s = xy_frame_close(err, c, &list, lists[k].what);
        if (s) return s;
    }
    return XY_OK;
}

static void attach(xy_ntuple *nt, int32_t field, int32_t column, bool count_only) {
    xy_nt_field *f = &nt->fields[field];
    if (!count_only) nt->attached[f->first_column + f->column_count] = column;
    f->column_count++;
}

static void attach_all(xy_ntuple *nt, bool count_only) {
    for (int32_t i = 0; i < nt->column_count; i++)
        attach(nt, nt->columns[i].field, i, count_only);
    for (int32_t i = 0; i < nt->alias_count; i++)
        attach(nt, nt->aliases[i].field, nt->aliases[i].column, count_only);
}

static int32_t put_in_order(xy_ntuple *nt, int32_t field, int32_t position) {
    nt->order[position] = field;
    nt->fields[field].position = position;
    position++;
    for (int32_t i = nt->fields[field].first_child; i >= 0; i = nt->fields[i].next)
        position = put_in_order(nt, i, position); /* at most MAX_DEPTH levels */
    return position;
}

xy_status xy_nt_link_schema(xy_ntuple *nt, xy_error *err) {
    size_t columns = (size_t)nt->column_count + (size_t)nt->alias_count;
    nt->attached = xy_new(columns + 1, sizeof *nt->attached);
    nt->order = xy_new((uint64_t)nt->field_count + 1, sizeof *nt->order);
    if (!nt->attached || !nt->order || columns > INT32_MAX)
        return xy_fail(err, XY_E_MEMORY, 0, "no memory for the schema");
    attach_all(nt, true);
    int32_t sum = 0;
    for (int32_t i = 0; i < nt->field_count; i++) {
        nt->fields[i].first_column = sum;
        sum += nt->fields[i].column_count;
        nt->fields[i].column_count = 0;
    }
    attach_all(nt, false);
    int32_t position = 0;
    for (int32_t i = 0; i < nt->field_count; i++)
        if (nt->fields[i].parent < 0) position = put_in_order(nt, i, position);
    return XY_OK;
}

void xy_nt_put_path(const xy_ntuple *nt, const xy_nt_field *f, xy_buffer *out) {
    if (f->parent >= 0) {
        xy_nt_put_path(nt, &nt->fields[f->parent], out);
        xy_append(out, ".", 1);
    }
    xy_append(out, f->name.text, f->name.len);
}

int xy_nt_bits(const xy_nt_column *column) {
    static const uint8_t bits[] = {1,  8,  8,  8,  8,  16, 16, 32, 32, 64, 64, 16, 32, 64,
                                   32, 64, 96, 16, 16, 32, 32, 64, 64, 16, 32, 64, 32, 64};
    if (column->type < sizeof bits) return bits[column->type];
    bool truncated = column->type == 0x1c && column->bits >= 10 && column->bits <= 31;
    bool quantized = column->type == 0x1d && column->bits >= 1 && column->bits <= 32;
    return truncated || quantized ? column->bits : 0;
}

int32_t xy_nt_arity(const xy_ntuple *nt, const xy_nt_field *field) {
    int32_t n = 0;
    const int32_t *own = nt->attached + field->first_column;
    while (n < field->column_count &&
           nt->columns[own[n]].representation == nt->columns[own[0]].representation)
        n++;
    return n;
}

const xy_nt_range *xy_nt_range_of(const xy_ntuple *nt, const xy_nt_cluster *cluster,
                                  int32_t column) {
    if ((uint32_t)column >= cluster->range_count) return NULL;
    return &nt->ranges[cluster->first_range + (uint32_t)column];
}

int32_t xy_nt_active(const xy_ntuple *nt, const xy_nt_field *field, int32_t k,
                     const xy_nt_cluster *cluster) {
    int32_t arity = xy_nt_arity(nt, field);
    const int32_t *own = nt->attached + field->first_column;
    for (int32_t i = 0; i + arity <= field->column_count; i += arity) {
        const xy_nt_range *range = xy_nt_range_of(nt, cluster, own[i + k]);
        /* Only the first representation can be older than the cluster and stand for zeros. */
        if (range ? !range->suppressed : i == 0) return own[i + k];
    }
    return -1;
}
