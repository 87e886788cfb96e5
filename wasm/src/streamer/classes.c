#include "classes.h"

#include "../text.h"
#include "builtin.h"
#include "cxx_type.h"
#include "program.h"

#include <stdlib.h>

/* The largest files known describe about 3,000. */
enum { MAX_CLASSES = 10000, BUCKETS = 4096, ENUM_BUCKETS = 256 };
/* Names of one bucket that are looked at; only a file that is made for it has more. */
enum { MAX_ALIKE = 64 };

static const double PI = 3.14159265358979323846;

/* Strings are kept in chunks that never move. */
typedef struct chunk {
    struct chunk *next;
    size_t used, cap;
    char data[];
} chunk;

typedef struct {
    xy_class cls;            /* first, so that a class leads to its entry */
    int32_t next_same;       /* another layout of the same class, or -1 */
    int32_t last_same;       /* of the first layout of a class: its last one */
    int32_t next, next_like; /* the next class of the bucket, or -1 */
    uint32_t like;           /* hash of the type that the name stands for */
} entry;

typedef struct {
    const char *name;
    int32_t type; /* of its numbers; 0: members disagree */
    int32_t next; /* in its bucket, or -1 */
    bool sure; /* said by a collection or a pair: ROOT calls each member that is an enum an int */
} enumeration;

struct xy_classes {
    chunk *strings;
    entry **entries; /* each stays where it is: classes are handed out as pointers */
    int32_t count, cap;
    /* First class by the hash of its name, and of the type that it stands for; -1 none. */
    int32_t buckets[BUCKETS], like[BUCKETS];
    int32_t file_count; /* entries that the file described, without the built-in ones */
    int32_t root_version;
    enumeration *enums;
    int32_t enum_count, enum_cap;
    int32_t enum_buckets[ENUM_BUCKETS]; /* first enum by the hash of its name; -1 none */
    bool failed;
};

const char *xy_classes_intern(xy_classes *t, const char *text, size_t len) {
    chunk *c = t->strings;
    if (!c || c->cap - c->used < len + 1) {
        size_t cap = len + 1 > 16384 ? len + 1 : 16384;
        c = xy_new(sizeof *c + (uint64_t)cap, 1);
        if (!c) {
            t->failed = true;
            return "";
        }
        c->next = t->strings;
        c->used = 0;
        c->cap = cap;
        t->strings = c;
    }
    char *s = c->data + c->used;
    if (len) memcpy(s, text, len);
    s[len] = 0;
    c->used += len + 1;
    return s;
}

xy_classes *xy_classes_create(int32_t root_version) {
    xy_classes *t = xy_new(1, sizeof *t);
    if (!t) return NULL;
    t->root_version = root_version % 1000000; /* 1000000 is added where records have 64 bits */
    memset(t->buckets, 0xff, sizeof t->buckets);
    memset(t->like, 0xff, sizeof t->like);
    memset(t->enum_buckets, 0xff, sizeof t->enum_buckets);
    return t;
}

int32_t xy_classes_root_version(const xy_classes *t) {
    return t->root_version;
}

void xy_classes_destroy(xy_classes *t) {
    if (!t) return;
    for (int32_t i = 0; i < t->count; i++) {
        free(t->entries[i]->cls.elements);
        free(t->entries[i]);
    }
    for (chunk *c = t->strings; c;) {
        chunk *next = c->next;
        free(c);
        c = next;
    }
    free(t->enums);
    free(t->entries);
    free(t);
}

static int32_t first_of(const xy_classes *t, const char *name, size_t len) {
    int32_t i = t->buckets[xy_name_hash(name, len) % BUCKETS];
    for (int k = 0; i >= 0 && k < MAX_ALIKE; k++, i = t->entries[i]->next) {
        const char *other = t->entries[i]->cls.name;
        if (strlen(other) == len && memcmp(other, name, len) == 0) return i;
    }
    return -1;
}

const char *xy_class_like(const xy_classes *t, const char *name, size_t len) {
    xy_span wanted = {name, len};
    uint32_t hash = xy_type_hash(wanted);
    int32_t found = -1, i = t->like[hash % BUCKETS];
    for (int k = 0; i >= 0 && k < MAX_ALIKE; k++, i = t->entries[i]->next_like) {
        const entry *e = t->entries[i];
        xy_span other = {e->cls.name, strlen(e->cls.name)};
        if (e->like == hash && i < t->file_count && xy_type_same(wanted, other)) found = i;
    }
    return found < 0 ? NULL : t->entries[found]->cls.name;
}

/* Takes over `cls` and its elements. */
static bool insert(xy_classes *t, const xy_class *cls) {
    entry *added = xy_new(1, sizeof *added);
    if (!added || !xy_grow((void **)&t->entries, &t->cap, t->count, sizeof *t->entries)) {
        free(added);
        t->failed = true;
        return false;
    }
    size_t len = strlen(cls->name);
    int32_t first = first_of(t, cls->name, len), index = t->count++;
    *added = (entry){.cls = *cls, .next_same = -1, .last_same = index, .next = -1, .next_like = -1};
    t->entries[index] = added;
    if (first >= 0) {
        t->entries[t->entries[first]->last_same]->next_same = index;
        t->entries[first]->last_same = index;
        return true;
    }
    added->like = xy_type_hash((xy_span){cls->name, len});
    int32_t *bucket = &t->buckets[xy_name_hash(cls->name, len) % BUCKETS];
    int32_t *like = &t->like[added->like % BUCKETS];
    added->next = *bucket;
    added->next_like = *like;
    *bucket = *like = index;
    return true;
}

/* One of the bounds of a range: a number, or a multiple or fraction of pi as ROOT accepts it. */
static double parse_bound(const char *s, size_t n) {
    char text[64];
    size_t m = 0;
    for (size_t i = 0; i < n && m < sizeof text - 1; i++)
        if (s[i] != ' ') text[m++] = s[i];
    text[m] = 0;
    const char *pi = xy_find(text, "pi");
    if (!pi) return xy_number(text);
    double v = PI;
    if (strncmp(text, "2pi", 3) == 0 || strncmp(text, "2*pi", 4) == 0 ||
        strncmp(text, "twopi", 5) == 0)
        v = 2 * PI;
    else if (strncmp(text, "-2pi", 4) == 0 || strncmp(text, "-2*pi", 5) == 0 ||
             strncmp(text, "-twopi", 6) == 0)
        v = -2 * PI;
    else if (text[0] == '-')
        v = -PI;
    if (pi[2] == '/') v /= xy_number(pi + 3);
    return v;
}

void xy_parse_range(const char *title, bool is_float16, xy_element *out) {
    out->has_range = false;
    out->factor = out->low = out->high = 0;
    out->bits = is_float16 ? 12 : 0;
    for (const char *left = strchr(title, '['); left; left = strchr(left + 1, '[')) {
        const char *right = strchr(left, ']');
        if (!right) return;
        const char *comma = memchr(left, ',', (size_t)(right - left));
        if (!comma) continue;
        const char *second = memchr(comma + 1, ',', (size_t)(right - comma - 1));
        out->low = parse_bound(left + 1, (size_t)(comma - left - 1));
        out->high = parse_bound(comma + 1, (size_t)((second ? second : right) - comma - 1));
        int bits = 32;
        if (second) {
            bits = atoi(second + 1);
            if (bits < 2 || bits > 32) bits = 32;
        }
        if (out->low < out->high) {
            double steps = bits < 32 ? (double)(1u << bits) : (double)0xffffffffu;
            out->factor = steps / (out->high - out->low);
            out->has_range = true;
        } else if (bits < 15) {
            out->bits = bits;
        }
        return;
    }
}

static const char *intern_member(xy_classes *t, const xy_tape_view *v, size_t obj,
                                 const char *name) {
    xy_str s = xy_tape_member_text(v, obj, name);
    return xy_classes_intern(t, s.text, s.len);
}

static void read_element(xy_classes *t, const xy_tape_view *v, size_t obj, xy_element *e) {
    memset(e, 0, sizeof *e);
    xy_str kind = xy_tape_class(v, obj);
    e->name = intern_member(t, v, obj, "fName");
    e->title = intern_member(t, v, obj, "fTitle");
    e->type_name = intern_member(t, v, obj, "fTypeName");
    e->count_name = intern_member(t, v, obj, "fCountName");
    e->type = (int32_t)xy_tape_member_int(v, obj, "fType", -1);
    e->size = (int32_t)xy_tape_member_int(v, obj, "fSize", 0);
    e->array_length = (int32_t)xy_tape_member_int(v, obj, "fArrayLength", 0);
    e->array_dim = (int32_t)xy_tape_member_int(v, obj, "fArrayDim", 0);
    e->base_version = (int32_t)xy_tape_member_int(v, obj, "fBaseVersion", XY_ANY_VERSION);
    e->stl_type = (int32_t)xy_tape_member_int(v, obj, "fSTLtype", 0);
    e->ctype = (int32_t)xy_tape_member_int(v, obj, "fCtype", 0);
    e->is_stl = xy_str_is(kind, "TStreamerSTL") || xy_str_is(kind, "TStreamerSTLstring");
    int dtype = 0;
    const uint8_t *index = NULL;
    uint32_t n = xy_tape_numbers(v, xy_tape_member(v, obj, "fMaxIndex"), &dtype, &index);
    for (uint32_t i = 0; i < n && i < 5; i++)
        e->max_index[i] = (int32_t)xy_number_at(dtype, index, i);
    /* TStreamerBase keeps the checksum of the base class in the second of these. */
    if (e->type == XY_T_BASE) e->base_checksum = (uint32_t)e->max_index[1];
    if (e->array_dim > 5 || e->array_dim < 0) e->array_dim = 0;
    int base = e->type % XY_T_ARRAY;
    if (e->type == XY_T_UCHAR && strcmp(e->type_name, "Bool_t") == 0) e->type = XY_T_BOOL;
    if (e->type < 60 && (base == XY_T_DOUBLE32 || base == XY_T_FLOAT16))
        xy_parse_range(e->title, base == XY_T_FLOAT16, e);
}

static bool same_element(const xy_element *a, const xy_element *b, bool bases) {
    if (a->type != b->type || strcmp(a->name, b->name) != 0 || a->is_stl != b->is_stl ||
        a->array_length != b->array_length || a->array_dim != b->array_dim ||
        strcmp(a->count_name, b->count_name) != 0 || a->bits != b->bits ||
        a->has_range != b->has_range || a->factor != b->factor || a->low != b->low)
        return false;
    for (int i = 0; i < a->array_dim; i++)
        if (a->max_index[i] != b->max_index[i]) return false;
    if (a->type == XY_T_BASE)
        return !bases ||
               (a->base_version == b->base_version && a->base_checksum == b->base_checksum);
    if (a->is_stl && strcmp(a->name, "This") == 0 && strcmp(a->title, b->title) != 0) return false;
    bool number = a->type < XY_T_OBJECT && !a->is_stl; /* of which only the type counts */
    return number || xy_type_same((xy_span){a->type_name, strlen(a->type_name)},
                                  (xy_span){b->type_name, strlen(b->type_name)});
}

bool xy_class_same(const xy_class *a, const xy_class *b, bool bases) {
    if (a->element_count != b->element_count) return false;
    for (int i = 0; i < a->element_count; i++)
        if (!same_element(&a->elements[i], &b->elements[i], bases)) return false;
    return true;
}

/* Layouts of one class that are compared with each other; only a file that is made for it has
 * more, and of those the rest count as different. */
enum { MAX_TWINS = 64 };

/* Whether a layout before `end` has the version and the form of `cls`; with `sums`, the checksum
 * and the base classes, too. */
static bool has_twin(const xy_classes *t, int32_t first, const xy_class *cls, int32_t end,
                     bool sums) {
    int looked = 0;
    for (int32_t i = first; i >= 0 && i != end && looked < MAX_TWINS;
         i = t->entries[i]->next_same, looked++) {
        const xy_class *other = &t->entries[i]->cls;
        if (!other->built_in && other->version == cls->version &&
            (!sums || other->checksum == cls->checksum) && xy_class_same(other, cls, sums))
            return true;
    }
    return false;
}

/* Whether the file has described this layout already: files that were merged repeat them. */
static bool is_described(const xy_classes *t, const xy_class *cls) {
    return has_twin(t, first_of(t, cls->name, strlen(cls->name)), cls, -1, true);
}

static int32_t find_enum(const xy_classes *t, const char *name, size_t len) {
    int32_t i = t->enum_buckets[xy_name_hash(name, len) % ENUM_BUCKETS];
    for (int k = 0; i >= 0 && k < MAX_ALIKE; k++, i = t->enums[i].next)
        if (strlen(t->enums[i].name) == len && memcmp(t->enums[i].name, name, len) == 0) return i;
    return -1;
}

int xy_enum_type(const xy_classes *t, const char *name, size_t len) {
    int32_t i = find_enum(t, name, len);
    return i < 0 ? 0 : t->enums[i].type;
}

/* Notes the enum of a member of `cls` that is one, an array of them, or a collection of them. */
static void note_enum(xy_classes *t, const char *cls, const xy_element *e) {
    xy_span name = xy_type_bare((xy_span){e->type_name, strlen(e->type_name)});
    int32_t type = e->is_stl ? e->ctype : e->type < XY_T_OBJECT ? e->type % XY_T_ARRAY : 0;
    while (name.n && (name.s[name.n - 1] == '*' || name.s[name.n - 1] == ' '))
        name.n--;
    if (e->is_stl) name = xy_type_bare(xy_type_argument(name, 0));
    bool number = type > 0 && type <= XY_T_FLOAT16 && type != XY_T_CHARSTAR && type != XY_T_COUNTER;
    if (!number || !name.n || memchr(name.s, '*', name.n) || xy_basic_type(name) >= 0 ||
        memchr(name.s, '<', name.n) || xy_is_std_string(name.s, name.n))
        return;
    bool sure = e->is_stl || strncmp(cls, "pair<", 5) == 0;
    int32_t i = find_enum(t, name.s, name.n);
    if (i >= 0) {
        enumeration *known = &t->enums[i];
        if (known->sure == sure && known->type != type) known->type = 0;
        if (sure && !known->sure) known->type = type;
        known->sure |= sure;
        return;
    }
    if (!xy_grow((void **)&t->enums, &t->enum_cap, t->enum_count, sizeof *t->enums)) {
        t->failed = true;
        return;
    }
    int32_t *bucket = &t->enum_buckets[xy_name_hash(name.s, name.n) % ENUM_BUCKETS];
    const char *kept = xy_classes_intern(t, name.s, name.n);
    t->enums[t->enum_count] = (enumeration){kept, type, *bucket, sure};
    *bucket = t->enum_count++;
}

xy_status xy_classes_add(xy_classes *t, xy_error *err, const xy_tape_view *v) {
    size_t items = v->len ? xy_tape_member(v, 0, "arr") : 0;
    if (!items) return xy_fail(err, XY_E_CORRUPT, 0, "the streamer info record is not a list");
    uint32_t n = xy_tape_list_count(v, items);
    size_t at = xy_tape_list_first(v, items);
    for (uint32_t i = 0; i < n; i++, at = xy_tape_skip(v, at)) {
        if (xy_tape_tag_at(v, at) != XY_TAPE_OBJECT ||
            !xy_str_is(xy_tape_class(v, at), "TStreamerInfo"))
            continue; /* listOfRules */
        if (t->count >= MAX_CLASSES)
            return xy_fail(err, XY_E_BUDGET, 0, "a file with more than %d classes", MAX_CLASSES);
        xy_class cls = {0};
        cls.name = intern_member(t, v, at, "fName");
        cls.version = (int32_t)xy_tape_member_int(v, at, "fClassVersion", 0);
        cls.checksum = (uint32_t)xy_tape_member_int(v, at, "fCheckSum", 0);
        size_t array = xy_tape_member(v, at, "fElements");
        size_t elements = array && xy_tape_tag_at(v, array) == XY_TAPE_OBJECT
                              ? xy_tape_member(v, array, "arr")
                              : 0;
        if (elements) {
            uint32_t m = xy_tape_list_count(v, elements);
            cls.elements = xy_new(m, sizeof *cls.elements);
            if (!cls.elements) t->failed = true;
            size_t e = xy_tape_list_first(v, elements);
            for (uint32_t k = 0; k < m && cls.elements; k++, e = xy_tape_skip(v, e))
                if (xy_tape_tag_at(v, e) == XY_TAPE_OBJECT) {
                    read_element(t, v, e, &cls.elements[cls.element_count]);
                    note_enum(t, cls.name, &cls.elements[cls.element_count++]);
                }
        }
        bool again = !t->failed && is_described(t, &cls);
        if (t->failed || (!again && !insert(t, &cls))) {
            free(cls.elements);
            return xy_fail(err, XY_E_MEMORY, 0, "no memory for the class table");
        }
        if (again) free(cls.elements);
        t->file_count = t->count;
    }
    return XY_OK;
}

int xy_classes_count(const xy_classes *t) {
    return t->file_count;
}
const xy_class *xy_classes_at(const xy_classes *t, int index) {
    return &t->entries[index]->cls;
}

static bool matches(const xy_class *c, int32_t version, uint32_t checksum) {
    if (checksum) return c->checksum == checksum;
    return version == XY_ANY_VERSION || c->version == version ||
           (c->built_in && c->version == XY_ANY_VERSION);
}

static const xy_class *search(const xy_classes *t, int first, int32_t version, uint32_t checksum,
                              bool built_in) {
    const xy_class *best = NULL;
    for (int i = first; i >= 0; i = t->entries[i]->next_same) {
        const xy_class *c = &t->entries[i]->cls;
        if (c->built_in != built_in || !matches(c, version, checksum)) continue;
        if (!best || c->version > best->version) best = c;
    }
    return best;
}

const xy_class *xy_class_find(xy_classes *t, const char *name, size_t len, int32_t version,
                              uint32_t checksum) {
    int first = first_of(t, name, len);
    const xy_class *found = search(t, first, version, checksum, false);
    if (found) return found;
    found = search(t, first, version, 0, true);
    if (found) return found;
    xy_class made;
    bool added = false;
    for (int i = 0; xy_builtin_make(t, name, len, i, &made); i++) {
        bool known = false;
        for (int k = first; k >= 0; k = t->entries[k]->next_same)
            known |= t->entries[k]->cls.built_in && t->entries[k]->cls.version == made.version;
        if (known || !insert(t, &made))
            free(made.elements);
        else
            added = true;
    }
    return added ? search(t, first_of(t, name, len), version, 0, true) : NULL;
}

const xy_class *xy_class_next(const xy_classes *t, const char *name, size_t len,
                              const xy_class *before) {
    int i = before ? ((const entry *)(const void *)before)->next_same : first_of(t, name, len);
    while (i >= 0 && t->entries[i]->cls.built_in)
        i = t->entries[i]->next_same;
    return i >= 0 ? &t->entries[i]->cls : NULL;
}

int xy_class_versions(const xy_classes *t, const char *name, size_t len) {
    int n = 0;
    int32_t first = first_of(t, name, len);
    for (int32_t i = first; i >= 0; i = t->entries[i]->next_same)
        n += !t->entries[i]->cls.built_in && !has_twin(t, first, &t->entries[i]->cls, i, false);
    return n;
}

/* `steps`: how many more classes are looked at, because each may have several bases. */
static bool derives(xy_classes *t, const xy_class *cls, const char *base, int depth, int *steps) {
    if (strcmp(cls->name, base) == 0) return true;
    if (depth > 32 || --*steps < 0) return false;
    for (int i = 0; i < cls->element_count; i++) {
        const xy_element *e = &cls->elements[i];
        if (e->type != XY_T_BASE && e->type != XY_T_TOBJECT && e->type != XY_T_TNAMED) break;
        if (strcmp(e->name, base) == 0) return true;
        const xy_class *b = xy_class_find(t, e->name, strlen(e->name), XY_ANY_VERSION, 0);
        if (b && derives(t, b, base, depth + 1, steps)) return true;
    }
    return false;
}

bool xy_class_derives(xy_classes *t, const xy_class *cls, const char *base) {
    int steps = 10000;
    return derives(t, cls, base, 0, &steps);
}
