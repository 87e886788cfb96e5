/* The exported functions for trees, plans and decoding. */
#include "ctx.h"

#include "../decode/decoder.h"
#include "../text.h"
#include "../tree/tree.h"

#include <math.h>

xy_tree *xy_tree_create(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_tree *tree = xy_new(1, sizeof *tree);
    if (!tree) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a tree");
        return NULL;
    }
    if (xy_tree_read(tree, file, &ctx->err, src, len)) {
        xy_tree_destroy(tree);
        return NULL;
    }
    return tree;
}

void xy_tree_destroy(xy_tree *tree) {
    if (!tree) return;
    xy_tree_free(tree);
    free(tree);
}

static void put_texts(xy_buffer *out, const char *key, const xy_tree *t, xy_part_text text) {
    xy_texts texts = {0};
    for (int32_t i = 0; i < t->count; i++)
        xy_texts_add(&texts, t->branches[i].part->texts[text]);
    xy_texts_put(out, key, &texts);
}

static void put_number(xy_buffer *out, const char *key, const xy_tree *t, xy_part_number number) {
    xy_tape_key(out, key);
    uint8_t *data = xy_tape_array(out, XY_F64, (uint32_t)t->count);
    for (int32_t i = 0; data && i < t->count; i++) {
        double v = (double)xy_part_int(t->branches[i].part, number, 0);
        memcpy(data + 8 * (size_t)i, &v, 8);
    }
}

static void put_field(xy_buffer *out, const char *key, const xy_tree *t, size_t field) {
    xy_tape_key(out, key);
    uint8_t *data = xy_tape_array(out, XY_I32, (uint32_t)t->count);
    for (int32_t i = 0; data && i < t->count; i++)
        memcpy(data + 4 * (size_t)i, (const uint8_t *)&t->branches[i] + field, 4);
}

static void put_types(xy_buffer *out, const xy_tree *t) {
    xy_texts types = {0};
    uint8_t *kinds = xy_new((uint64_t)t->count + 1, 1);
    if (!kinds || !xy_branch_types(t, &types, kinds)) out->failed = true;
    xy_texts_put(out, "types", &types);
    xy_tape_key(out, "kinds");
    uint8_t *data = xy_tape_array(out, XY_U8, (uint32_t)t->count);
    if (data && kinds && t->count) memcpy(data, kinds, (size_t)t->count);
    free(kinds);
}

/* Members of the TNamed in a list that stayed on the tape; what has no name is left out. */
static void put_named(xy_buffer *out, const xy_tree *t, size_t place,
                      const char *const (*members)[2], int count) {
    const xy_tape_view *v = &t->view;
    size_t list = place ? xy_tape_member(v, place - 1, "arr") : 0;
    uint32_t n = list ? xy_tape_list_count(v, list) : 0;
    for (int k = 0; k < count; k++) {
        xy_texts texts = {0};
        size_t at = n ? xy_tape_list_first(v, list) : 0;
        for (uint32_t i = 0; i < n; i++, at = xy_tape_skip(v, at)) {
            if (xy_tape_tag_at(v, at) != XY_TAPE_OBJECT) continue;
            if (!xy_tape_member_text(v, at, "fName").len) continue;
            xy_texts_add(&texts, xy_tape_member_text(v, at, members[k][1]));
        }
        xy_texts_put(out, members[k][0], &texts);
    }
}

/* TTree::SetAlias makes TNamed. */
static const char *const alias_members[][2] = {{"aliasNames", "fName"}, {"aliasTexts", "fTitle"}};
/* TTree::AddFriend makes TFriendElement: its name is the alias, or that of the tree. */
static const char *const friend_members[][2] = {
    {"friendNames", "fName"}, {"friendTrees", "fTreeName"}, {"friendFiles", "fTitle"}};

static xy_basket *list_baskets(xy_ctx *ctx, const xy_tree *t, int32_t branch, int32_t n) {
    xy_basket *list = xy_new((uint64_t)n + 1, sizeof *list);
    if (!list)
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for %d baskets", (int)n);
    else
        xy_tree_baskets(t, branch, list, n);
    return list;
}

static bool has_embedded(const xy_tree *t, int32_t branch) {
    const xy_part *part = t->branches[branch].part;
    for (uint32_t i = 0; i < part->lists[XY_L_BASKETS].count; i++)
        if (xy_tree_made(t, xy_tree_link(t, part, XY_L_BASKETS, i)).basket) return true;
    return false;
}

/* Bytes of each branch's baskets in the tree's own record, which the other sums do not count. */
static void put_embedded(xy_ctx *ctx, const xy_tree *t) {
    int32_t first = 0;
    while (first < t->count && !has_embedded(t, first))
        first++;
    if (first == t->count) return;
    xy_tape_key(&ctx->out, "embeddedBytes");
    uint8_t *data = xy_tape_array(&ctx->out, XY_F64, (uint32_t)t->count);
    for (int32_t i = 0; data && i < t->count; i++) {
        double sum = 0;
        int32_t n = i >= first && has_embedded(t, i) ? t->branches[i].baskets : 0;
        xy_basket *list = n ? list_baskets(ctx, t, i, n) : NULL;
        for (int32_t k = 0; list && k < n; k++)
            if (list[k].embedded) sum += (double)xy_tree_embedded_bytes(t, &list[k]);
        free(list);
        memcpy(data + 8 * (size_t)i, &sum, 8);
    }
}

/* The files that have the baskets of branches, empty for those of the tree's own file. */
static void put_other_files(xy_buffer *out, const xy_tree *t) {
    int32_t first = 0;
    while (first < t->count && !xy_tree_elsewhere(t, first))
        first++;
    if (first == t->count) return;
    xy_texts texts = {0};
    for (int32_t i = 0; i < t->count; i++) {
        xy_str name = t->branches[i].part->texts[XY_S_FILE_NAME];
        xy_texts_add(&texts, xy_tree_elsewhere(t, i) ? name : (xy_str){"", 0});
    }
    xy_texts_put(out, "otherFiles", &texts);
}

int32_t xy_tree_describe(xy_ctx *ctx, const xy_tree *t) {
    xy_ctx_begin(ctx);
    xy_buffer *out = &ctx->out;
    size_t mark = xy_tape_object(out, 0, "", 0);
    static const struct {
        const char *key;
        xy_part_number number;
    } numbers[] = {{"entries", XY_N_ENTRIES},
                   {"totalBytes", XY_N_TOTAL_BYTES},
                   {"storedBytes", XY_N_STORED_BYTES},
                   {"autoFlush", XY_N_AUTO_FLUSH}};
    const xy_part *tree = xy_tree_part_at(t, 0);
    const struct {
        const char *key;
        xy_str text;
    } texts[] = {{"name", tree->texts[XY_S_NAME]},
                 {"title", tree->texts[XY_S_TITLE]},
                 {"className", tree->cls}};
    for (int k = 0; k < 3; k++) {
        xy_tape_key(out, texts[k].key);
        xy_tape_string(out, texts[k].text.text, texts[k].text.len);
    }
    for (int k = 0; k < 4; k++) {
        xy_tape_key(out, numbers[k].key);
        xy_tape_f64(out, (double)xy_part_int(tree, numbers[k].number, 0));
    }
    put_named(out, t, t->aliases, alias_members, 2);
    put_named(out, t, t->friends, friend_members, 3);
    if (t->lost) {
        xy_tape_key(out, "lost");
        xy_tape_i32(out, t->lost);
        xy_tape_key(out, "lostStatus");
        xy_tape_i32(out, t->why.status);
        xy_tape_key(out, "lostWhy");
        xy_tape_cstring(out, t->why.message);
    }
    xy_tape_key(out, "branches");
    size_t table = xy_tape_object(out, 0, "", 0);
    put_texts(out, "names", t, XY_S_NAME);
    put_texts(out, "titles", t, XY_S_TITLE);
    put_types(out, t);
    put_field(out, "parents", t, offsetof(xy_branch, parent));
    put_field(out, "depths", t, offsetof(xy_branch, depth));
    put_field(out, "baskets", t, offsetof(xy_branch, baskets));
    put_number(out, "entries", t, XY_N_ENTRIES);
    put_number(out, "totalBytes", t, XY_N_TOTAL_BYTES);
    put_number(out, "storedBytes", t, XY_N_STORED_BYTES);
    put_number(out, "compress", t, XY_N_COMPRESS);
    put_embedded(ctx, t);
    put_other_files(out, t);
    xy_tape_object_end(out, table);
    xy_tape_object_end(out, mark);
    return xy_ctx_end(ctx);
}

static bool check_branch(xy_ctx *ctx, const xy_tree *t, int32_t branch) {
    xy_ctx_begin(ctx);
    if (branch >= 0 && branch < t->count) return true;
    xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "branch %d of %d", (int)branch, (int)t->count);
    return false;
}

int32_t xy_tree_branch_baskets(xy_ctx *ctx, const xy_tree *t, int32_t branch) {
    if (!check_branch(ctx, t, branch)) return xy_ctx_end(ctx);
    int32_t n = t->branches[branch].baskets;
    xy_basket *list = list_baskets(ctx, t, branch, n);
    static const char *const keys[] = {"first", "end", "entries", "seek", "nbytes"};
    enum { FIELDS = sizeof keys / sizeof *keys };
    double *table = list ? xy_new((uint64_t)n + 1, FIELDS * sizeof *table) : NULL;
    if (list && !table) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for %d baskets", (int)n);
    if (table) {
        bool ordered = true;
        for (int32_t i = 0; i < n; i++) {
            const xy_basket *b = &list[i];
            /* All valid numbers of 64 bits are whole numbers that a double holds exactly. */
            double numbers[FIELDS] = {(double)b->first_entry, (double)b->end_entry,
                                      (double)(b->end_entry - b->first_entry), (double)b->seek,
                                      b->embedded ? (double)xy_tree_embedded_size(t, b)
                                                  : (double)b->nbytes};
            for (size_t k = 0; k < FIELDS; k++)
                table[k * (size_t)n + (size_t)i] = numbers[k];
            ordered = ordered && (i == 0 || b->first_entry >= list[i - 1].end_entry);
        }
        size_t mark = xy_tape_object(&ctx->out, 0, "", 0);
        for (size_t k = 0; k < FIELDS; k++) {
            xy_tape_key(&ctx->out, keys[k]);
            uint8_t *data = xy_tape_array(&ctx->out, XY_F64, (uint32_t)n);
            if (data && n) memcpy(data, table + k * (size_t)n, (size_t)n * sizeof *table);
        }
        xy_tape_key(&ctx->out, "ordered");
        xy_tape_u8(&ctx->out, ordered ? XY_TAPE_TRUE : XY_TAPE_FALSE);
        xy_tape_object_end(&ctx->out, mark);
    }
    free(table);
    free(list);
    return xy_ctx_end(ctx);
}

int32_t xy_tree_detach(xy_ctx *ctx, const xy_tree *t, int32_t branch, int32_t basket) {
    if (!check_branch(ctx, t, branch)) return xy_ctx_end(ctx);
    int32_t n = t->branches[branch].baskets;
    xy_basket *list = list_baskets(ctx, t, branch, n);
    if (list && basket >= 0 && basket < n && list[basket].embedded)
        xy_tree_embedded(t, &ctx->err, &list[basket], &ctx->out);
    else if (list)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "basket %d is not in the tree's record", (int)basket);
    free(list);
    return xy_ctx_end(ctx);
}

/* TBranch::SetFile puts a branch's baskets into a file of their own. */
static bool check_baskets_here(xy_ctx *ctx, const xy_tree *t, int32_t branch) {
    if (!check_branch(ctx, t, branch)) return false;
    if (!xy_tree_elsewhere(t, branch)) return true;
    xy_str file = t->branches[branch].part->texts[XY_S_FILE_NAME];
    xy_fail(&ctx->err, XY_E_UNSUPPORTED, 0,
            "the baskets of this branch lie in another file, \"%.*s\", which is not read",
            (int)(file.len < 200 ? file.len : 200), file.text);
    return false;
}

/* Compiles a branch in one of two ways and gives the plan as the result. */
static int32_t plan_with(xy_ctx *ctx, const xy_tree *t, int32_t branch,
                         void (*compile)(xy_compiler *, const xy_tree *, int32_t)) {
    if (!check_baskets_here(ctx, t, branch)) return xy_ctx_end(ctx);
    xy_program p;
    xy_program_init(&p);
    xy_compiler c = {.classes = t->file->classes, .program = &p};
    compile(&c, t, branch);
    if (p.dynamic) xy_compile_all(&c);
    int32_t counter = p.failed ? -1 : xy_count_branch(t, &p, branch);
    if (xy_check_plan(ctx, &p)) xy_put_plan(ctx, &p, counter);
    xy_program_free(&p);
    return xy_ctx_end(ctx);
}

int32_t xy_plan(xy_ctx *ctx, const xy_tree *t, int32_t branch) {
    return plan_with(ctx, t, branch, xy_plan_branch);
}

int32_t xy_tree_orders(xy_ctx *ctx, const xy_tree *t, int32_t branch, const uint8_t *src,
                       size_t len) {
    if (!check_baskets_here(ctx, t, branch)) return xy_ctx_end(ctx);
    xy_program p;
    xy_program_init(&p);
    xy_compiler c = {.classes = t->file->classes, .program = &p};
    xy_plan_branch(&c, t, branch);
    if (p.dynamic) xy_compile_all(&c);
    xy_buffer plan = {0};
    if (xy_check_plan(ctx, &p)) xy_plan_write(&p, &plan);
    if (plan.failed) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a plan");
    xy_decoder *d = NULL;
    if (!ctx->err.status) d = xy_decoder_new(&ctx->err, plan.data, plan.len, &ctx->scratch);
    if (d) {
        xy_decoder_basket(d, &ctx->err, src, len, 0, -1, NULL, 0);
        xy_append_u8(&ctx->out, d->run.orders);
        xy_decoder_destroy(d);
    }
    xy_buffer_free(&plan);
    xy_program_free(&p);
    return xy_ctx_end(ctx);
}

int32_t xy_raw_plan(xy_ctx *ctx, const xy_tree *t, int32_t branch) {
    return plan_with(ctx, t, branch, xy_plan_raw);
}
