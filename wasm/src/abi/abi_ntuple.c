/* The exported functions that read the metadata of RNTuples. */
#include "ctx.h"

#include "../ntuple/ntuple.h"
#include "../text.h"

xy_ntuple *xy_ntuple_create(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_ntuple *nt = xy_new(1, sizeof *nt);
    if (!nt) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for an RNTuple");
        return NULL;
    }
    nt->file = file;
    if (xy_nt_read_anchor(nt, &ctx->err, src, len)) {
        xy_ntuple_destroy(nt);
        return NULL;
    }
    return nt;
}

void xy_ntuple_destroy(xy_ntuple *nt) {
    if (!nt) return;
    xy_nt_free(nt);
    free(nt);
}

int32_t xy_ntuple_links(xy_ctx *ctx, const xy_ntuple *nt) {
    xy_ctx_begin(ctx);
    xy_buffer *out = &ctx->out;
    const xy_nt_anchor *a = &nt->anchor;
    char version[40];
    xy_format(version, sizeof version, "%u.%u.%u.%u", a->version[0], a->version[1], a->version[2],
              a->version[3]);
    size_t mark = xy_tape_object(out, 0, "", 0);
    xy_put_str(out, "version", (xy_str){version, strlen(version)});
    xy_put_number(out, "headerSeek", (double)a->header_seek);
    xy_put_number(out, "headerBytes", (double)a->header_size);
    xy_put_number(out, "footerSeek", (double)a->footer_seek);
    xy_put_number(out, "footerBytes", (double)a->footer_size);
    static const char *const lists[] = {"pageListSeeks", "pageListBytes", "groupFirsts"};
    for (int k = 0; k < 3; k++) {
        xy_tape_key(out, lists[k]);
        uint8_t *data = xy_tape_array(out, XY_F64, (uint32_t)nt->group_count);
        for (int32_t i = 0; data && i < nt->group_count; i++) {
            const xy_nt_group *g = &nt->groups[i];
            double v = (double)(k == 0 ? g->link.offset : k == 1 ? g->link.size : g->first_entry);
            memcpy(data + 8 * (size_t)i, &v, 8);
        }
    }
    xy_tape_object_end(out, mark);
    return xy_ctx_end(ctx);
}

bool xy_ctx_expect(xy_ctx *ctx, bool in_order) {
    xy_ctx_begin(ctx);
    if (!in_order)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "the parts of an RNTuple came out of order");
    return in_order;
}

int32_t xy_ntuple_header(xy_ctx *ctx, xy_ntuple *nt, const uint8_t *src, size_t len) {
    if (xy_ctx_expect(ctx, !nt->header.data)) xy_nt_read_header(nt, &ctx->err, src, len);
    return xy_ctx_end(ctx);
}

int32_t xy_ntuple_footer(xy_ctx *ctx, xy_ntuple *nt, const uint8_t *src, size_t len) {
    if (xy_ctx_expect(ctx, nt->header.data && !nt->footer.data))
        xy_nt_read_footer(nt, &ctx->err, src, len);
    return xy_ctx_end(ctx);
}

int32_t xy_ntuple_page_list(xy_ctx *ctx, xy_ntuple *nt, int32_t group, const uint8_t *src,
                            size_t len) {
    if (xy_ctx_expect(ctx, nt->order != NULL)) xy_nt_read_page_list(nt, &ctx->err, group, src, len);
    return xy_ctx_end(ctx);
}
