/* An RNTuple without some of its clusters: entries and elements of those that follow count on as
 * if these had never been. */
#include "xylem-write.h"

#include "../../abi/ctx.h"
#include "copy.h"

/* Elements of a deferred column that are not stored, and would lie in a cluster. */
static uint64_t late_elements(const xy_nt_column *column, const xw_share *share) {
    uint64_t most = column->first > share->first ? column->first - share->first : 0;
    return most < share->elements ? most : share->elements;
}

xy_status xw_pass_cluster(xw_ntuple *w, xy_error *err, const xy_nt_cluster *cluster) {
    for (int32_t i = 0; i < w->listed_count; i++) {
        xw_share share;
        xy_status s = xw_share_of(w->nt, err, cluster, w->listed[i], true, &share);
        if (s) return s;
        w->elements[i] -= share.elements;
    }
    w->entries -= cluster->entries;
    return XY_OK;
}

static bool has_any(const xy_nt_cluster *cluster, const double *ranges, uint32_t count) {
    double from = (double)cluster->first_entry, to = from + (double)cluster->entries;
    for (uint32_t i = 0; i < count; i++)
        if (from < ranges[2 * i + 1] && ranges[2 * i] < to) return true;
    return false;
}

static xy_status leave_out(xw_ntuple *w, xy_error *err, int32_t number) {
    const xy_ntuple *nt = w->nt;
    for (int32_t i = 0; i < w->listed_count; i++) {
        xw_share share;
        xy_status s = xw_share_of(nt, err, &nt->clusters[number], w->listed[i], true, &share);
        if (s) return s;
        const xy_nt_column *column = &nt->columns[w->listed[i]];
        if (column->deferred) w->late[i] += late_elements(column, &share);
    }
    w->left_out[number] = 1;
    return XY_OK;
}

int32_t xw_ntuple_leave_out(xy_ctx *ctx, xw_ntuple *w, const double *ranges, uint32_t count) {
    const xy_ntuple *nt = w->nt;
    if (!xy_ctx_expect(ctx, !w->left_out && !w->follows)) return xy_ctx_end(ctx);
    w->left_out = xy_new((uint64_t)nt->cluster_count + 1, sizeof *w->left_out);
    w->late = xy_new((uint64_t)w->listed_count + 1, sizeof *w->late);
    if (!w->left_out || !w->late)
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for the clusters of an RNTuple");
    for (int32_t i = 0; !ctx->err.status && i < nt->cluster_count; i++)
        if (has_any(&nt->clusters[i], ranges, count)) leave_out(w, &ctx->err, i);
    return xy_ctx_end(ctx);
}
