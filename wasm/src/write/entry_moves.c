#include "entry_moves.h"

#include "../abi/ctx.h"
#include "../streamer/run.h"
#include "../tree/tree.h"

#include <stdlib.h>

#define CLASS_MASK 0x80000000u

/* Offsets up to this are references: TBufferFile's kMaxMapCount. */
enum { MAX_OFFSET = 0x3ffffffe };

struct xw_entries {
    xy_program program;
    xy_run run;
    xy_buffer tags;
};

void xw_entries_destroy(xw_entries *e) {
    if (!e) return;
    for (int32_t i = 0; i < e->run.columns.count; i++)
        xy_buffer_free(&e->run.columns.buffers[i]);
    free(e->run.columns.buffers);
    xy_run_free(&e->run);
    xy_program_free(&e->program);
    xy_buffer_free(&e->tags);
    free(e);
}

xw_entries *xw_entries_create(xy_ctx *ctx, const uint8_t *plan, size_t len) {
    xy_ctx_begin(ctx);
    xw_entries *e = xy_new(1, sizeof *e);
    bool read = e && xy_plan_read(&e->program, plan, len);
    xy_buffer *columns =
        read ? xy_new((uint64_t)e->program.column_count + 1, sizeof *columns) : NULL;
    if (!columns) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "this is no plan of entries, or memory is out");
        xw_entries_destroy(e);
        return NULL;
    }
    xy_run_init(&e->run, NULL, &e->program);
    e->run.columns = (xy_columns){columns, e->program.column_count};
    e->run.exact = true;
    e->run.tags = &e->tags;
    return e;
}

static xy_status decode(xw_entries *e, xy_error *err, const uint8_t *entry, size_t len,
                        uint32_t origin) {
    xy_run *run = &e->run;
    run->err = err;
    run->mark.kind = XY_MARK_NONE;
    e->tags.len = 0;
    for (int32_t i = 0; i < run->columns.count; i++) {
        run->columns.buffers[i].len = 0;
        run->columns.buffers[i].limit = xy_max_from(len);
    }
    xy_run_input(run, entry, len, origin);
    xy_run_allow(run, len);
    xy_status s = xy_run_columns(run, e->program.root, 1);
    if (!s && run->in.pos != len)
        s = xy_fail(err, XY_E_UNSUPPORTED, origin + run->in.pos,
                    "%zu bytes are left over of an entry", len - run->in.pos);
    /* Bytes are copied all the same where nothing has to be known of them: this is no damage. */
    if (s && s != XY_E_MEMORY) err->status = s = XY_E_UNSUPPORTED;
    return s;
}

xy_status xw_entry_move(xw_entries *e, xy_error *err, const uint8_t *entry, size_t len,
                        uint32_t was, uint32_t now, uint8_t *copy) {
    xy_status s = decode(e, err, entry, len, was);
    for (size_t i = 0; i < e->tags.len && !s; i += sizeof(xy_tag)) {
        xy_tag tag;
        memcpy(&tag, e->tags.data + i, sizeof tag);
        int64_t offset = (int64_t)(tag.value & ~CLASS_MASK) - was + now;
        if (offset < 2 || offset > MAX_OFFSET)
            return xy_fail(err, XY_E_BUDGET, was + tag.at,
                           "a reference within a basket cannot reach byte %lld", (long long)offset);
        uint32_t value = __builtin_bswap32((tag.value & CLASS_MASK) | (uint32_t)offset);
        memcpy(copy + tag.at, &value, sizeof value);
    }
    return s;
}

/* ---- plans ---- */

static bool holds_pointers(const xy_program *p) {
    for (int32_t i = 0; i < p->count; i++) {
        const xy_node *n = &p->nodes[i];
        if (n->op == XY_OP_POINTER || n->op == XY_OP_LEAFOBJECT) return true;
        if (n->op == XY_OP_CUSTOM && xy_custom_format_of(n->size)->pointers) return true;
    }
    return p->dynamic;
}

/* Whether entries cannot be decoded without those of another branch. */
static bool needs_counts(const xy_program *p) {
    for (int32_t i = 0; i < p->count; i++) {
        const xy_node *n = &p->nodes[i];
        if (n->counter == XY_COUNTED_OUTSIDE && n->op != XY_OP_REST) return true;
    }
    return false;
}

static void put_plan(xy_ctx *ctx, const xy_tree *tree, int32_t branch) {
    xy_program p;
    xy_program_init(&p);
    xy_compiler c = {.classes = tree->file->classes, .program = &p};
    xy_plan_branch(&c, tree, branch);
    xy_buffer bytes = {0};
    bool points = holds_pointers(&p);
    if (p.dynamic) xy_compile_all(&c);
    const char *why = p.failed ? "memory is out" : xy_program_error(&p, p.root);
    if (!why && points && needs_counts(&p)) why = "another branch counts its arrays";
    if (why) {
        xy_tape_cstring(&ctx->out, why);
    } else if (!points) {
        xy_tape_u8(&ctx->out, XY_TAPE_NULL);
    } else {
        xy_plan_write(&p, &bytes);
        uint8_t *out = bytes.failed || bytes.len > UINT32_MAX
                           ? NULL
                           : xy_tape_array(&ctx->out, XY_U8, (uint32_t)bytes.len);
        if (out)
            memcpy(out, bytes.data, bytes.len);
        else
            ctx->out.failed = true;
    }
    xy_buffer_free(&bytes);
    xy_program_free(&p);
}

int32_t xw_entry_plans(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len,
                       const uint8_t *wanted, uint32_t count) {
    xy_ctx_begin(ctx);
    xy_tree tree;
    xy_status s = xy_tree_read(&tree, file, &ctx->err, src, len);
    if (!wanted && !s) count = (uint32_t)tree.count;
    if (!s && (uint32_t)tree.count != count)
        s = xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a tree of %d branches and not %u",
                    (int)tree.count, (unsigned)count);
    if (!s) {
        size_t list = xy_tape_list(&ctx->out);
        for (uint32_t i = 0; i < count; i++) {
            if (!wanted || wanted[i])
                put_plan(ctx, &tree, (int32_t)i);
            else
                xy_tape_u8(&ctx->out, XY_TAPE_NULL);
        }
        xy_tape_list_end(&ctx->out, list, count);
        if (ctx->out.failed) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for plans of entries");
    }
    xy_tree_free(&tree);
    return xy_ctx_end(ctx);
}
