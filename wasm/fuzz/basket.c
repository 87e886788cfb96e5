/* A basket through the plan of a branch of the fixtures: 2 bytes (little-endian) choose the plan,
 * then 1 byte each for the first and the last entry wanted (255: to the end), 16 numbers (1 byte
 * each, 255 for -1) as another branch counts the entries' arrays, then the record. */
#include "input.h"

#include <stdio.h>

enum { COUNTS = 16, HEAD = 4 + COUNTS };

/* The file that seeds.c wrote beside the program: for each plan its length (4 bytes, host order)
 * and the plan. */
static part plans[4096];
static size_t plan_count;

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *path = getenv("XYLEM_FUZZ_PLANS");
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) {
        fprintf(stderr, "XYLEM_FUZZ_PLANS must name the file with the plans\n");
        exit(2);
    }
    uint32_t len;
    while (plan_count < 4096 && fread(&len, 4, 1, file) == 1) {
        part p = {malloc(len), len};
        if (!p.data || fread(p.data, len, 1, file) != 1) abort();
        plans[plan_count++] = p;
    }
    fclose(file);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEAD || plan_count == 0) return 0;
    size_t which = ((size_t)data[0] | (size_t)data[1] << 8) % plan_count;
    double from = data[2], to = data[3] == 255 ? -1 : data[3];
    int32_t counts[COUNTS];
    for (int i = 0; i < COUNTS; i++)
        counts[i] = data[4 + i] == 255 ? -1 : data[4 + i];
    part record = part_of(data + HEAD, size - HEAD);
    xy_ctx *ctx = xy_ctx_create();
    xy_decoder *decoder = xy_decoder_create(ctx, plans[which].data, plans[which].len);
    if (!decoder) abort();
    for (int round = 0; round < 2; round++) /* onto what is there already */
        checked(ctx, xy_decode(ctx, decoder, record.data, record.len, from, to, counts, COUNTS));
    const double spans[6] = {from, from + 1, from + 2, from + 4, to, to + 1};
    checked(ctx, xy_decode_spans(ctx, decoder, record.data, record.len, spans, 3, counts, COUNTS));
    double summary[9] = {0}, bins[13] = {0}, inside[9] = {0}, all[9] = {0};
    if (checked(ctx, xy_summarize(ctx, decoder, summary)) && summary[2] < summary[3])
        checked(ctx, xy_fill(ctx, decoder, 10, summary[2], summary[3], bins, inside, all));
    xy_decoder_destroy(decoder);
    xy_ctx_destroy(ctx);
    free(record.data);
    return 0;
}
