/* Writes the seeds of all fuzz targets from ROOT files, with the core itself:
 *
 *   seeds FOLDER FILE...     FOLDER/<target>/<file>.<n> and FOLDER/plans
 *
 * Records are written uncompressed, so that a mutation reaches what is inside. */
#include "../src/file/file.h"
#include "../src/tree/tree.h"

#include <stdio.h>
#include <sys/stat.h>

enum { MAX_SEED = 100000 };

typedef struct {
    const char *folder, *name;
    xy_buffer bytes;
    int count; /* seeds written */
    FILE *plans;
    int plan_count;
} job;

static void fail(const char *what, const char *name) {
    fprintf(stderr, "seeds: %s %s\n", what, name);
    exit(1);
}

static FILE *open_file(const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (!file) fail("cannot open", path);
    return file;
}

static xy_buffer read_file(const char *path) {
    xy_buffer b = {0};
    FILE *file = open_file(path, "rb");
    for (;;) {
        uint8_t *room = xy_reserve(&b, 65536);
        if (!room) fail("no memory for", path);
        size_t n = fread(room, 1, 65536, file);
        if (n == 0) break;
        b.len += n;
    }
    fclose(file);
    return b;
}

/* Writes head and body as one seed. */
static void put_seed(job *j, const char *target, const xy_buffer *head, const xy_buffer *body) {
    if (head->len + body->len > MAX_SEED) return;
    char path[600];
    snprintf(path, sizeof path, "%s/%s", j->folder, target);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s.%03d", j->folder, target, j->name, j->count++);
    FILE *file = open_file(path, "wb");
    if (head->len) fwrite(head->data, 1, head->len, file);
    if (body->len) fwrite(body->data, 1, body->len, file);
    fclose(file);
}

static void put_be32(uint8_t *p, uint32_t v) {
    v = __builtin_bswap32(v);
    memcpy(p, &v, 4);
}

/* The record at `at` as if it had been stored without compression; false when it is none. */
static bool plain_record(job *j, xy_codec *codec, size_t at, xy_key *key, xy_buffer *out) {
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(j->bytes.data + at, j->bytes.len - at);
    xy_buffer object = {0};
    out->len = 0;
    bool ok = at < j->bytes.len && !xy_read_key(&err, &c, key) && key->nbytes > 0 &&
              !xy_unpack(codec, &err, c.base, j->bytes.len - at, key, &object);
    if (ok) {
        xy_append(out, c.base, key->keylen);
        xy_append(out, object.data, object.len);
        put_be32(out->data, (uint32_t)out->len);
    }
    xy_buffer_free(&object);
    return ok;
}

static void put_two(job *j, const char *target, const xy_buffer *first, const xy_buffer *second) {
    xy_buffer head = {0};
    const uint8_t n[3] = {(uint8_t)first->len, (uint8_t)(first->len >> 8),
                          (uint8_t)(first->len >> 16)};
    xy_append(&head, n, 3);
    xy_append(&head, first->data, first->len);
    put_seed(j, target, &head, second);
    xy_buffer_free(&head);
}

/* A seed for changed tapes: the record, and a number from which the changes follow. */
static void put_changes(job *j, const xy_buffer *streamers, const xy_buffer *record) {
    xy_buffer both = {0};
    if (record->len > MAX_SEED) return;
    xy_append(&both, record->data, record->len);
    xy_append_u32(&both, (uint32_t)j->count);
    put_two(j, "tape", streamers, &both);
    xy_buffer_free(&both);
}

/* The blocks of a compressed record, one seed each for the codec of its tag. */
static void put_blocks(job *j, const uint8_t *record, const xy_key *key) {
    static const char *const targets[][2] = {{"ZL", "codec_zlib"},
                                             {"CS", "codec_deflate"},
                                             {"ZS", "codec_zstd"},
                                             {"L4", "codec_lz4"},
                                             {"XZ", "codec_xz"}};
    size_t at = key->keylen, end = (size_t)key->nbytes;
    while (end - at > 9) {
        const uint8_t *p = record + at;
        size_t n = (size_t)p[3] | (size_t)p[4] << 8 | (size_t)p[5] << 16;
        if (n > end - at - 9) return;
        xy_buffer head = {.data = (uint8_t *)(uintptr_t)(p + 6), .len = 3};
        xy_buffer body = {.data = (uint8_t *)(uintptr_t)(p + 9), .len = n};
        for (size_t i = 0; i < 5; i++)
            if (memcmp(p, targets[i][0], 2) == 0) put_seed(j, targets[i][1], &head, &body);
        at += 9 + n;
    }
}

/* The plans of all branches, and up to three baskets of each as seeds. */
static void put_branches(job *j, xy_codec *codec, xy_ctx *ctx, const xy_tree *tree) {
    for (int32_t i = 0; i < tree->count; i++) {
        if (xy_plan(ctx, tree, i) != 0) continue;
        xy_tape_view view = {xy_ctx_result(ctx), xy_ctx_result_size(ctx)};
        int dtype;
        const uint8_t *plan = NULL;
        uint32_t len = xy_tape_numbers(&view, xy_tape_member(&view, 0, "plan"), &dtype, &plan);
        fwrite(&len, 4, 1, j->plans);
        fwrite(plan, 1, len, j->plans);
        int index = j->plan_count++;
        xy_basket baskets[3];
        int32_t n = xy_tree_baskets(tree, i, baskets, 3);
        for (int32_t k = 0; k < n && k < 3; k++) {
            xy_buffer record = {0}, head = {0};
            xy_key key;
            xy_error err = {0};
            bool ok = baskets[k].embedded
                          ? !xy_tree_embedded(tree, &err, &baskets[k], &record)
                          : plain_record(j, codec, (size_t)baskets[k].seek, &key, &record);
            const uint8_t choice[20] = {(uint8_t)index, (uint8_t)(index >> 8), 0, 255, 0, 1, 2, 3};
            xy_append(&head, choice, sizeof choice);
            if (ok) put_seed(j, "basket", &head, &record);
            xy_buffer_free(&record);
            xy_buffer_free(&head);
        }
    }
}

static void put_file(job *j) {
    xy_error err = {0};
    xy_file_header header;
    xy_codec *codec = xy_codec_create();
    xy_ctx *ctx = xy_ctx_create();
    xy_file *file = xy_file_create(64000);
    xy_buffer none = {0}, streamers = {0}, record = {0};
    if (xy_read_header(&err, j->bytes.data, j->bytes.len, &header)) fail("no header in", j->name);
    xy_buffer head = {.data = j->bytes.data, .len = j->bytes.len < 600 ? j->bytes.len : 600};
    put_seed(j, "header", &none, &head);
    xy_key key;
    if (plain_record(j, codec, (size_t)header.seek_info, &key, &streamers)) {
        put_seed(j, "streamers", &none, &streamers);
        xy_streamers(ctx, file, streamers.data, streamers.len);
    }
    for (size_t at = (size_t)header.begin; at + 4 <= j->bytes.len;) {
        int32_t nbytes = (int32_t)xy_be32(j->bytes.data + at);
        if (nbytes == 0) break;
        if (nbytes > 0 && at != header.seek_info && plain_record(j, codec, at, &key, &record)) {
            put_blocks(j, j->bytes.data + at, &key);
            if (xy_str_is(key.class_name, "TTree") || xy_str_is(key.class_name, "TNtuple")) {
                put_two(j, "tree", &streamers, &record);
                xy_tree *tree = xy_tree_create(ctx, file, record.data, record.len);
                if (tree) put_branches(j, codec, ctx, tree);
                xy_tree_destroy(tree);
                put_changes(j, &streamers, &record);
            } else if (xy_str_is(key.class_name, "TFile") ||
                       xy_str_is(key.class_name, "TDirectory") ||
                       xy_str_is(key.class_name, "TDirectoryFile")) {
                put_seed(j, "keys", &none, &record);
            } else if (xy_str_is(key.class_name, "ROOT::RNTuple")) {
                uint8_t place[4] = {(uint8_t)at, (uint8_t)(at >> 8), (uint8_t)(at >> 16), 0};
                xy_buffer anchor = {.data = place, .len = 4};
                put_seed(j, "ntuple", &anchor, &j->bytes);
            } else if (!xy_str_is(key.class_name, "TBasket")) {
                put_two(j, "object", &streamers, &record);
                put_two(j, "writer", &streamers, &record);
                put_changes(j, &streamers, &record);
            }
        }
        at += (size_t)(nbytes < 0 ? -(int64_t)nbytes : nbytes);
    }
    xy_buffer_free(&streamers);
    xy_buffer_free(&record);
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
    xy_codec_destroy(codec);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: seeds FOLDER FILE...\n");
        return 2;
    }
    char path[600];
    snprintf(path, sizeof path, "%s/plans", argv[1]);
    FILE *plans = open_file(path, "wb");
    int count = 0;
    for (int i = 2; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        job j = {.folder = argv[1],
                 .name = slash ? slash + 1 : argv[i],
                 .bytes = read_file(argv[i]),
                 .plans = plans,
                 .plan_count = count};
        put_file(&j);
        count = j.plan_count;
        printf("%s: %d seeds, %d plans so far\n", j.name, j.count, count);
        xy_buffer_free(&j.bytes);
    }
    fclose(plans);
    return 0;
}
