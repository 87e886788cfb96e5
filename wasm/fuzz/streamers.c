/* The streamer info record, and every class of it compiled for the tape and for columns. */
#include "input.h"

#include "../src/file/file.h"
#include "../src/tree/tree.h"

/* A record without content, of a class that needs no streamer info. */
static const uint8_t EMPTY_OBJECT[] = {0,   0,   0,   45,  0, 4, 0, 0, 0, 0, 0, 0, 0,   0,   0,
                                       45,  0,   1,   0,   0, 0, 0, 0, 0, 0, 0, 7, 'T', 'O', 'b',
                                       'j', 'e', 'c', 't', 0, 0, 0, 0, 0, 0, 0, 0, 0,   0,   0};

static void compile_columns(xy_file *file) {
    xy_buffer schema = {0};
    for (int i = 0; i < xy_classes_count(file->classes) && i < 64; i++) {
        const char *name = xy_classes_at(file->classes, i)->name;
        xy_program p;
        xy_program_init(&p);
        xy_compiler c = {.classes = file->classes, .program = &p, .columnar = true};
        p.root = xy_compile_object(&c, name, strlen(name), XY_ANY_VERSION, 0);
        if (!p.failed && !xy_program_error(&p, p.root)) {
            xy_assign_columns(&p);
            schema.len = 0;
            xy_plan_schema(&p, p.root, &schema);
        }
        xy_program_free(&p);
    }
    xy_buffer_free(&schema);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    part p = part_of(data, size);
    xy_ctx *ctx = xy_ctx_create();
    xy_file *file = xy_file_create(64000);
    if (checked(ctx, xy_streamers(ctx, file, p.data, p.len))) {
        checked(ctx, xy_object(ctx, file, EMPTY_OBJECT, sizeof EMPTY_OBJECT));
        compile_columns(file);
    }
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
    free(p.data);
    return 0;
}
