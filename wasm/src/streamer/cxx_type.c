#include "cxx_type.h"

xy_span xy_span_trim(xy_span t) {
    while (t.n && (*t.s == ' ' || *t.s == '\t'))
        t.s++, t.n--;
    while (t.n && t.s[t.n - 1] == ' ')
        t.n--;
    return t;
}

bool xy_span_starts(xy_span t, const char *prefix) {
    if (!t.n || *t.s != *prefix)
        return !*prefix; /* as mostly: types are compared with many names */
    size_t n = strlen(prefix);
    return t.n >= n && memcmp(t.s, prefix, n) == 0;
}

bool xy_span_is(xy_span t, const char *text) {
    return t.n && *t.s == *text && strlen(text) == t.n && memcmp(t.s, text, t.n) == 0;
}

xy_span xy_type_bare(xy_span t) {
    for (;;) {
        t = xy_span_trim(t);
        size_t cut = xy_span_starts(t, "const ")                     ? 6
                     : xy_span_starts(t, "volatile ")                ? 9
                     : xy_span_starts(t, "std::")                    ? 5
                     : xy_span_starts(t, "__cxx11::")                ? 9
                     : xy_span_starts(t, "ROOT::VecOps::")           ? 14
                     : xy_span_starts(t, "ROOT::Internal::VecOps::") ? 24
                                                                     : 0;
        if (!cut) return t;
        t.s += cut;
        t.n -= cut;
    }
}

xy_span xy_type_argument(xy_span t, int k) {
    xy_span none = {"", 0};
    const char *open = memchr(t.s, '<', t.n);
    if (!open || t.s[t.n - 1] != '>') return none;
    const char *p = open + 1, *end = t.s + t.n - 1, *start = p;
    int depth = 0;
    for (; p <= end; p++) {
        if (p == end || (*p == ',' && depth == 0)) {
            if (k-- == 0) return xy_span_trim((xy_span){start, (size_t)(p - start)});
            start = p + 1;
        } else if (*p == '<' || *p == '(') {
            depth++;
        } else if (*p == '>' || *p == ')') {
            depth--;
        }
    }
    return none;
}

xy_container xy_container_of(xy_span t) {
    static const struct {
        const char *prefix;
        xy_container kind;
    } known[] = {
        {"vector<", XY_SEQUENCE},
        {"list<", XY_SEQUENCE},
        {"forward_list<", XY_SEQUENCE},
        {"deque<", XY_SEQUENCE},
        {"set<", XY_SEQUENCE},
        {"multiset<", XY_SEQUENCE},
        {"RVec<", XY_SEQUENCE},
        {"RVecN<", XY_SEQUENCE},
        {"map<", XY_MAP},
        {"multimap<", XY_MAP},
        {"unordered_set<", XY_UNORDERED},
        {"unordered_multiset<", XY_UNORDERED},
        {"unordered_map<", XY_UNORDERED_MAP},
        {"unordered_multimap<", XY_UNORDERED_MAP},
        {"bitset<", XY_BITSET},
        {"array<", XY_ARRAY},
    };
    if (!t.n || t.s[t.n - 1] != '>') return XY_NOT_CONTAINER;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (xy_span_starts(t, known[i].prefix)) return known[i].kind;
    return XY_NOT_CONTAINER;
}

bool xy_is_collection(const char *type, size_t len) {
    xy_span t = xy_type_bare((xy_span){type, len});
    while (t.n && t.s[t.n - 1] == '*')
        t.n--;
    xy_container k = xy_container_of(xy_span_trim(t));
    return k != XY_NOT_CONTAINER && k != XY_ARRAY;
}

bool xy_is_std_string(const char *type, size_t len) {
    xy_span t = xy_type_bare((xy_span){type, len});
    return xy_span_is(t, "string") || xy_span_starts(t, "basic_string<char");
}

int xy_basic_type(xy_span t) {
    static const struct {
        const char *name;
        int type;
    } names[] = {
        {"char", XY_T_CHAR},
        {"Char_t", XY_T_CHAR},
        {"signed char", XY_T_CHAR},
        {"int8_t", XY_T_CHAR},
        {"unsigned char", XY_T_UCHAR},
        {"UChar_t", XY_T_UCHAR},
        {"uint8_t", XY_T_UCHAR},
        {"byte", XY_T_UCHAR},
        {"short", XY_T_SHORT},
        {"Short_t", XY_T_SHORT},
        {"int16_t", XY_T_SHORT},
        {"unsigned short", XY_T_USHORT},
        {"UShort_t", XY_T_USHORT},
        {"uint16_t", XY_T_USHORT},
        {"int", XY_T_INT},
        {"Int_t", XY_T_INT},
        {"int32_t", XY_T_INT},
        {"unsigned int", XY_T_UINT},
        {"unsigned", XY_T_UINT},
        {"UInt_t", XY_T_UINT},
        {"uint32_t", XY_T_UINT},
        {"long", XY_T_LONG},
        {"Long_t", XY_T_LONG},
        {"unsigned long", XY_T_ULONG},
        {"ULong_t", XY_T_ULONG},
        {"size_t", XY_T_ULONG},
        {"long long", XY_T_LONG64},
        {"Long64_t", XY_T_LONG64},
        {"int64_t", XY_T_LONG64},
        {"unsigned long long", XY_T_ULONG64},
        {"ULong64_t", XY_T_ULONG64},
        {"uint64_t", XY_T_ULONG64},
        {"float", XY_T_FLOAT},
        {"Float_t", XY_T_FLOAT},
        {"double", XY_T_DOUBLE},
        {"Double_t", XY_T_DOUBLE},
        {"Double32_t", XY_T_DOUBLE32},
        {"Float16_t", XY_T_FLOAT16},
        {"bool", XY_T_BOOL},
        {"Bool_t", XY_T_BOOL},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (xy_span_is(t, names[i].name)) return names[i].type;
    return -1;
}

/* The piece of a name up to the next bracket or comma. */
static xy_span next_piece(xy_span *name) {
    xy_span piece = {name->s, 0};
    while (piece.n < name->n && !strchr("<,>", piece.s[piece.n]))
        piece.n++;
    name->s += piece.n;
    name->n -= piece.n;
    return piece;
}

static void skip_fillers(xy_span *t) {
    for (;;) {
        size_t n = t->n && *t->s == ' ' ? 1 : xy_span_starts(*t, "std::") ? 5 : 0;
        if (!n) return;
        t->s += n;
        t->n -= n;
    }
}

/* The next sign of a name written in one way: a number type (negative), a bracket or comma, or a
 * character of another piece; 0 at the end. `piece` is what is left of the piece that is read. */
static int next_sign(xy_span *name, xy_span *piece, bool *within) {
    if (!*within) {
        *piece = next_piece(name);
        *within = true;
        int type = xy_basic_type(xy_span_trim(*piece));
        if (type >= 0) {
            piece->n = 0;
            return -1 - type;
        }
    }
    skip_fillers(piece);
    if (piece->n) {
        piece->n--;
        return (unsigned char)*piece->s++;
    }
    if (!name->n) return 0;
    *within = false;
    name->n--;
    return (unsigned char)*name->s++;
}

uint32_t xy_type_hash(xy_span name) {
    uint32_t hash = 2166136261u;
    xy_span piece = {"", 0};
    bool within = false;
    for (int sign; (sign = next_sign(&name, &piece, &within)) != 0;)
        hash = (hash ^ (uint32_t)sign) * 16777619u;
    return hash;
}

bool xy_type_same(xy_span a, xy_span b) {
    xy_span piece_a = {"", 0}, piece_b = {"", 0};
    bool within_a = false, within_b = false;
    for (;;) {
        int sign = next_sign(&a, &piece_a, &within_a);
        if (sign != next_sign(&b, &piece_b, &within_b)) return false;
        if (sign == 0) return true;
    }
}
