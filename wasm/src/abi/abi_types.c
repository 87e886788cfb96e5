/* The exported function for the class table. */
#include "ctx.h"

#include "../file/file.h"
#include "../tree/tree.h"

/* TStreamerBase calls its type BASE; a collection as base is a TStreamerSTL of its own name. */
static bool is_base(const xy_element *e) {
    return strcmp(e->type_name, "BASE") == 0 || e->type == XY_T_BASE ||
           (e->is_stl && strcmp(e->name, e->type_name) == 0);
}

static void put_element(xy_buffer *t, const xy_element *e) {
    bool base = is_base(e);
    size_t mark = xy_tape_object(t, 0, "", 0);
    xy_put_text(t, "name", e->name);
    xy_put_text(t, "title", e->title);
    xy_put_text(t, "typeName", base ? e->name : e->type_name);
    xy_put_number(t, "type", e->type);
    xy_tape_key(t, "dimensions");
    size_t list = xy_tape_list(t);
    for (int32_t i = 0; i < e->array_dim; i++)
        xy_tape_i32(t, e->max_index[i]);
    bool flat = e->array_dim == 0 && e->array_length > 0;
    if (flat) xy_tape_i32(t, e->array_length);
    xy_tape_list_end(t, list, (uint32_t)e->array_dim + flat);
    xy_put_text(t, "counter", e->count_name);
    xy_tape_key(t, "base");
    xy_tape_u8(t, base ? XY_TAPE_TRUE : XY_TAPE_FALSE);
    if (base && e->base_version != XY_ANY_VERSION) xy_put_number(t, "baseVersion", e->base_version);
    xy_tape_object_end(t, mark);
}

int32_t xy_types(xy_ctx *ctx, const xy_file *file) {
    xy_ctx_begin(ctx);
    xy_buffer *t = &ctx->out;
    int count = xy_classes_count(file->classes);
    uint32_t described = 0;
    size_t mark = xy_tape_list(t);
    for (int i = 0; i < count; i++) {
        const xy_class *c = xy_classes_at(file->classes, i);
        if (c->built_in) continue;
        described++;
        size_t object = xy_tape_object(t, 0, "", 0);
        xy_put_text(t, "name", c->name);
        xy_put_number(t, "version", c->version);
        xy_put_number(t, "checksum", c->checksum);
        xy_tape_key(t, "elements");
        size_t list = xy_tape_list(t);
        for (int32_t k = 0; k < c->element_count; k++)
            put_element(t, &c->elements[k]);
        xy_tape_list_end(t, list, (uint32_t)c->element_count);
        xy_tape_object_end(t, object);
    }
    xy_tape_list_end(t, mark, described);
    return xy_ctx_end(ctx);
}

int32_t xy_class_schema(xy_ctx *ctx, const xy_file *file, const char *name, size_t len) {
    xy_ctx_begin(ctx);
    xy_program p;
    xy_program_init(&p);
    xy_compiler c = {.classes = file->classes, .program = &p, .columnar = true};
    const xy_class *cls = xy_class_find(file->classes, name, len, XY_ANY_VERSION, 0);
    int32_t version = cls ? cls->version : XY_ANY_VERSION;
    int32_t node = xy_compile_object(&c, name, len, version, cls ? cls->checksum : 0);
    if (p.failed || xy_program_error(&p, node))
        xy_tape_u8(&ctx->out, XY_TAPE_NULL);
    else
        xy_plan_schema(&p, node, &ctx->out);
    xy_program_free(&p);
    return xy_ctx_end(ctx);
}
