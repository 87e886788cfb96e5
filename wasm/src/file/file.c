#include "file.h"

#include "../streamer/builtin.h"
#include "../streamer/custom.h"
#include "../streamer/cxx_type.h"

xy_file *xy_file_create(int32_t root_version) {
    xy_file *f = xy_new(1, sizeof *f);
    if (!f) return NULL;
    f->codec = xy_codec_create();
    f->classes = xy_classes_create(root_version);
    xy_program_init(&f->objects);
    xy_program_init(&f->trees);
    if (!f->codec || !f->classes) {
        xy_file_destroy(f);
        return NULL;
    }
    return f;
}

void xy_file_destroy(xy_file *f) {
    if (!f) return;
    xy_codec_destroy(f->codec);
    xy_classes_destroy(f->classes);
    xy_program_free(&f->objects);
    xy_program_free(&f->trees);
    xy_buffer_free(&f->scratch);
    xy_buffer_free(&f->infos);
    free(f);
}

static bool of_tree(const char *name) {
    static const char *const prefixes[] = {"TTree", "TNtuple", "TBranch",
                                           "TLeaf", "TBasket", "TFriendElement"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

static void compile_classes(xy_compiler *c, bool trees) {
    static const char *const always[] = {
        "TObject",
        "TNamed",
        "TObjString",
        "TRef",
        "TArrayC",
        "TArrayS",
        "TArrayI",
        "TArrayL",
        "TArrayL64",
        "TArrayF",
        "TArrayD",
        "TDatime",
        "TString",
        "string",
        "TMatrixTSym<double>",
        "TMatrixTSym<float>",
    };
    xy_str built_in;
    bool columnar = c->columnar;
    c->columnar = false;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        xy_compile_object(c, always[i], strlen(always[i]), XY_ANY_VERSION, 0);
    for (size_t i = 0; i < XY_CUSTOM_COUNT; i++) {
        const char *name = xy_custom_classes[i].name;
        xy_compile_object(c, name, strlen(name), XY_ANY_VERSION, 0);
    }
    for (int i = 0; xy_builtin_name(i, &built_in); i++)
        if (!trees || of_tree(built_in.text))
            xy_compile_object(c, built_in.text, built_in.len, XY_ANY_VERSION, 0);
    for (int i = 0; i < xy_classes_count(c->classes); i++) {
        const char *name = xy_classes_at(c->classes, i)->name;
        if (!trees || of_tree(name)) xy_compile_object(c, name, strlen(name), XY_ANY_VERSION, 0);
    }
    c->columnar = columnar;
}

void xy_compile_all(xy_compiler *c) {
    compile_classes(c, false);
}

/* The node that reads a whole object of a class. Collections have no entry in the class table; they
 * become an object with the one member "This", as ROOT's own infos of such classes have it. */
static int32_t object_node(xy_file *f, xy_program *p, xy_str name) {
    int32_t index = xy_program_class_index(p, name.text, name.len);
    if (index >= 0) return p->classes[index].node;
    xy_compiler c = {.classes = f->classes, .program = p};
    if (!xy_is_collection(name.text, name.len)) {
        /* Classes that need not be in the table: symmetric matrices, strings. */
        int32_t other = xy_compile_object(&c, name.text, name.len, XY_ANY_VERSION, 0);
        const xy_node *made = p->failed ? NULL : &p->nodes[other];
        if (made && made->op == XY_OP_USE) made = &p->nodes[p->classes[made->size].node];
        return made && !(made->op == XY_OP_OBJECT && made->first < 0) ? other : -1;
    }
    int32_t content = xy_compile_type(&c, name.text, name.len); /* here without header */
    int32_t node = xy_node_new(p, XY_OP_STRUCT);
    uint32_t type = xy_program_intern(p, name.text, name.len);
    uint32_t member = xy_program_intern(p, "This", 4);
    if (p->failed) return -1;
    p->nodes[node].type_name = type;
    p->nodes[node].first = content;
    p->nodes[content].name = member;
    return node;
}

xy_status xy_file_unpack(xy_file *f, xy_error *err, const uint8_t *src, size_t len, xy_key *key) {
    xy_cursor c = xy_cursor_of(src, len);
    xy_status s = xy_read_key(err, &c, key);
    return s ? s : xy_unpack(f->codec, err, src, len, key, &f->scratch);
}

xy_status xy_file_node(xy_file *f, xy_error *err, bool trees, xy_str name, int32_t *node) {
    xy_program *p = trees ? &f->trees : &f->objects;
    bool *compiled = trees ? &f->trees_compiled : &f->compiled;
    if (!*compiled) {
        xy_program_free(p);
        xy_program_init(p);
        xy_compiler c = {.classes = f->classes, .program = p};
        compile_classes(&c, trees);
        *compiled = true;
    }
    *node = object_node(f, p, name);
    if (p->failed) return xy_fail(err, XY_E_MEMORY, 0, "no memory for the class table");
    if (*node < 0)
        return xy_fail(err, XY_E_NO_STREAMER, 0, "class %.*s has no streamer info in this file",
                       (int)name.len, name.text);
    return XY_OK;
}

/* `forgets`: the tape is not wanted, only whether there would be one. */
static xy_status read_object(xy_file *f, xy_error *err, const uint8_t *src, size_t len,
                             const char *class_name, bool forgets, xy_buffer *tape) {
    xy_key key;
    int32_t node = -1;
    xy_status s = xy_file_unpack(f, err, src, len, &key);
    xy_str name = class_name ? (xy_str){class_name, strlen(class_name)} : key.class_name;
    if (!s) s = xy_file_node(f, err, false, name, &node);
    if (s) return s;
    xy_run run;
    xy_run_init(&run, err, &f->objects);
    xy_run_input(&run, f->scratch.data, f->scratch.len, key.keylen);
    xy_run_allow(&run, f->scratch.len);
    run.tape = tape;
    run.forgets = forgets;
    tape->limit = xy_max_from(f->scratch.len);
    /* A tape is mostly a little longer. */
    if (!forgets) xy_reserve(tape, f->scratch.len + f->scratch.len / 2);
    s = xy_run_tape_as(&run, node, 1);
    xy_run_free(&run);
    if (!s && forgets && run.too_deep) s = xy_too_deep(err, 0);
    if (!s && tape->failed) s = xy_fail(err, XY_E_MEMORY, 0, "no memory for the object");
    /* A whole object that came out as one error is a failure of the call. */
    if (!s && tape->len > 5 && tape->data[0] == XY_TAPE_ERROR) {
        s = xy_fail(err, XY_E_UNSUPPORTED, 0, "%.*s", (int)(tape->len - 5),
                    (const char *)tape->data + 5);
    }
    if (s && run.kept && !tape->failed) {
        tape->len = run.kept;
        xy_tape_key(tape, xy_program_text(&f->objects, run.stopped));
        xy_tape_error(tape, err->message);
    } else if (s) {
        tape->len = 0;
    }
    return s;
}

xy_status xy_file_object(xy_file *f, xy_error *err, const uint8_t *src, size_t len,
                         const char *class_name, xy_buffer *tape) {
    return read_object(f, err, src, len, class_name, false, tape);
}

/* Whether a failure says nothing against the bytes: they are not known, or nest too deeply. */
static bool is_unknown(xy_status s) {
    return s == XY_E_NO_STREAMER || s == XY_E_UNSUPPORTED || s == XY_E_DEPTH;
}

/* Objects with more bytes are only unpacked, part by part. */
enum { MAX_CHECKED = 1 << 27 };

static void drop_part(void *use, const uint8_t *part, size_t len) {
    (void)use, (void)part, (void)len;
}

xy_status xy_file_check_object(xy_file *f, xy_error *err, const uint8_t *src, size_t len,
                               xy_buffer *why) {
    enum { KEPT = 1 << 24 };
    xy_key key;
    xy_cursor c = xy_cursor_of(src, len);
    xy_status s = xy_read_key(err, &c, &key);
    if (s) return s;
    if (key.objlen > MAX_CHECKED) {
        s = xy_unpack_parts(f->codec, err, src, len, &key, drop_part, NULL);
        if (!s)
            xy_fail(err, XY_E_UNSUPPORTED, 0, "it has %d bytes, which are not decoded", key.objlen);
    } else {
        xy_buffer tape = {0};
        s = read_object(f, err, src, len, NULL, true, &tape);
        xy_buffer_free(&tape);
    }
    if (f->scratch.cap > KEPT) xy_buffer_free(&f->scratch);
    if (!is_unknown((xy_status)err->status)) return s;
    xy_append(why, err->message, strlen(err->message));
    memset(err, 0, sizeof *err);
    return XY_OK;
}

xy_status xy_file_object_or_bytes(xy_file *f, xy_error *err, const uint8_t *src, size_t len,
                                  xy_buffer *tape) {
    xy_status s = xy_file_object(f, err, src, len, NULL, tape);
    if (s != XY_E_NO_STREAMER && s != XY_E_UNSUPPORTED) return s;
    xy_error first = *err, again = {0};
    xy_key key;
    /* The scratch holds the object of this record: reading it was what succeeded. */
    xy_cursor c = xy_cursor_of(src, len);
    if (xy_read_key(&again, &c, &key)) return s;
    if (tape->len == 0) xy_tape_object(tape, 1, key.class_name.text, key.class_name.len);
    xy_tape_key(tape, "$error");
    xy_tape_cstring(tape, first.message);
    xy_tape_key(tape, "$bytes");
    uint8_t *bytes = xy_tape_array(tape, XY_U8, (uint32_t)f->scratch.len);
    if (bytes && f->scratch.len) memcpy(bytes, f->scratch.data, f->scratch.len);
    xy_tape_object_end(tape, 0);
    memset(err, 0, sizeof *err);
    return XY_OK;
}

/* The object of a record as it is stored, where it is short enough to be kept; else NULL. */
static const uint8_t *stored_object(const uint8_t *src, size_t len, size_t *n) {
    enum { MAX_KEPT = 1 << 20 };
    xy_error ignored = {0};
    xy_cursor c = xy_cursor_of(src, len);
    xy_key key;
    if (xy_read_key(&ignored, &c, &key) || key.nbytes <= 0 || (size_t)key.nbytes > len) return NULL;
    *n = (size_t)key.nbytes - key.keylen;
    return *n <= MAX_KEPT ? src + key.keylen : NULL;
}

bool xy_file_same_streamers(const xy_file *f, const uint8_t *src, size_t len) {
    size_t n = 0;
    const uint8_t *object = stored_object(src, len, &n);
    return object && f->infos.len > 0 && n == f->infos.len && memcmp(object, f->infos.data, n) == 0;
}

xy_status xy_file_streamers(xy_file *f, xy_error *err, const uint8_t *src, size_t len) {
    xy_buffer tape = {0};
    xy_status s = xy_file_object(f, err, src, len, "TList", &tape);
    /* A list begins with its byte count. The scratch holds it. */
    if (!s && (f->scratch.len < 4 || !xy_be32(f->scratch.data)))
        s = xy_fail(err, XY_E_CORRUPT, 0, "the streamer infos are overwritten with zeros");
    if (!s) {
        xy_tape_view view = {tape.data, tape.len};
        bool first = xy_classes_count(f->classes) == 0;
        s = xy_classes_add(f->classes, err, &view);
        f->compiled = f->trees_compiled = false;
        size_t n = 0;
        const uint8_t *object = stored_object(src, len, &n);
        f->infos.len = 0;
        if (!s && first && object) xy_append(&f->infos, object, n);
    }
    xy_buffer_free(&tape);
    return s;
}
