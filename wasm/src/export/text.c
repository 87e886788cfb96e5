/* Rows of a table as text: separated values, and lines of JSON. */
#include "../buffer.h"
#include "export.h"
#include "input.h"
#include "number_text.h"

#include <math.h>
#include <string.h>

/* As many levels as the decoders of columns allow, and one for the table. */
enum { MAX_DEPTH = 256, MISSING = 255 };

/* A node whose places were checked. */
typedef struct node {
    uint32_t kind;
    uint32_t type;
    uint32_t rows;
    uint32_t size;          /* members of an array */
    const uint8_t *data;    /* numbers; of each optional or variant its byte */
    const int32_t *offsets; /* of texts, lists and labels; of variants the row of the child */
    const uint8_t *text;    /* of texts and labels */
    const struct node *children;
    uint32_t child_count;
    uint32_t depth;
} node;

static struct {
    xy_buffer out;
    xy_buffer cell; /* the JSON of a cell before it is quoted */
    uint8_t separator;
    xe_written result;
} writer;

const xe_written *xe_text_result(void) {
    return &writer.result;
}

/* ---------------------------------------------------------------- descriptions */

static bool take_texts(node *n, const xe_node *from, uint32_t count) {
    uint32_t last = 0;
    n->offsets = xe_offsets_at(from->at, count, &last);
    n->text = (const uint8_t *)xe_in_input(from->more_at, from->more_bytes, 1);
    return n->offsets && n->text && last <= from->more_bytes;
}

static bool take_numbers(node *n, const xe_node *from) {
    static const uint8_t WIDTH[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    if (from->type >= sizeof WIDTH) return false;
    n->data = (const uint8_t *)xe_in_input(from->at, n->rows, WIDTH[from->type]);
    return n->data != NULL;
}

static bool take_variants(node *n, const xe_node *from) {
    n->data = (const uint8_t *)xe_in_input(from->at, n->rows, 1);
    n->offsets = (const int32_t *)xe_in_input(from->more_at, n->rows, 4);
    if (!n->data || !n->offsets) return false;
    for (uint32_t i = 0; i < n->rows; i++)
        if (n->data[i] < n->child_count &&
            (n->offsets[i] < 0 || (uint32_t)n->offsets[i] >= n->children[n->data[i]].rows))
            return false;
    return true;
}

/* The arrays of a node whose children, and their rows, are known. */
static bool take_node(node *n, const xe_node *from) {
    const node *child = n->child_count == 1 ? n->children : NULL;
    uint32_t members = 0;
    switch (n->kind) {
    case XE_NUMBERS: return take_numbers(n, from);
    case XE_TEXTS:
    case XE_JSON: return take_texts(n, from, n->rows);
    case XE_LISTS:
        n->offsets = xe_offsets_at(from->at, n->rows, &members);
        return n->offsets && child && members <= child->rows;
    case XE_ARRAYS: n->size = from->at; return child && (uint64_t)n->rows * n->size <= child->rows;
    case XE_OPTIONALS:
        n->data = (const uint8_t *)xe_in_input(from->at, n->rows, 1);
        return n->data && child && n->rows <= child->rows;
    case XE_STRUCTS:
        for (uint32_t i = 0; i < n->child_count; i++)
            if (n->children[i].rows < n->rows) return false;
        return take_texts(n, from, n->child_count + 1);
    case XE_VARIANTS: return n->child_count <= MISSING && take_variants(n, from);
    default: return false;
    }
}

/* Checks the list of nodes: each but the first is a child of one before it. */
static bool take_nodes(node *nodes, const xe_node *from, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        nodes[i].kind = from[i].kind;
        nodes[i].type = from[i].type;
        nodes[i].rows = from[i].rows;
    }
    uint32_t next = 1;
    for (uint32_t i = 0; i < count; i++) {
        node *n = &nodes[i];
        n->child_count = from[i].children;
        if (n->child_count > count - next) return false;
        if (n->child_count && (from[i].first_child != next || next <= i)) return false;
        n->children = nodes + next;
        for (uint32_t k = 0; k < n->child_count; k++)
            nodes[next++].depth = n->depth + 1;
        if (n->depth > MAX_DEPTH || !take_node(n, &from[i])) return false;
    }
    return next == count && nodes[0].kind == XE_STRUCTS;
}

/* ---------------------------------------------------------------- values */

static void put_number(xy_buffer *out, const node *n, uint32_t row, bool json) {
    uint8_t *to = xy_reserve(out, XE_NUMBER_BYTES), *end = to;
    if (!to) return;
    const void *data = n->data;
    double real = 0;
    switch (n->type) {
    case XE_BOOL: {
        bool value = n->data[row] != 0;
        memcpy(to, value ? "true" : "false", 5);
        end = to + (value ? 4 : 5);
        break;
    }
    case XE_I8: end = xe_put_signed(to, ((const int8_t *)data)[row]); break;
    case XE_U8: end = xe_put_unsigned(to, ((const uint8_t *)data)[row]); break;
    case XE_I16: end = xe_put_signed(to, ((const int16_t *)data)[row]); break;
    case XE_U16: end = xe_put_unsigned(to, ((const uint16_t *)data)[row]); break;
    case XE_I32: end = xe_put_signed(to, ((const int32_t *)data)[row]); break;
    case XE_U32: end = xe_put_unsigned(to, ((const uint32_t *)data)[row]); break;
    case XE_I64: end = xe_put_signed(to, ((const int64_t *)data)[row]); break;
    case XE_U64: end = xe_put_unsigned(to, ((const uint64_t *)data)[row]); break;
    default:
        real = n->type == XE_F32 ? (double)((const float *)data)[row] : ((const double *)data)[row];
        if (isfinite(real)) {
            end = xe_put_double(to, real);
            break;
        }
        /* JSON has no such numbers, so that they are texts there. */
        if (json) *end++ = '"';
        const char *name = isnan(real) ? "nan" : real > 0 ? "inf" : "-inf";
        size_t size = strlen(name);
        memcpy(end, name, size);
        end += size;
        if (json) *end++ = '"';
    }
    out->len += (size_t)(end - to);
}

/* The bytes of a character at `at` that must not stand in a terminal, 0 when it may: DEL, C1, the
 * separators of lines and paragraphs, and marks that turn the direction of text. */
static uint32_t unprintable(const uint8_t *at, const uint8_t *end, uint32_t *code) {
    if (*at == 0x7f) {
        *code = 0x7f;
        return 1;
    }
    if (*at < 0xc0 || end - at < 2) return 0;
    *code = (*at & 0x1fu) << 6 | (at[1] & 0x3fu);
    if (*at < 0xe0) return (*code >= 0x80 && *code <= 0x9f) || *code == 0x061c ? 2 : 0;
    if (*at >= 0xf0 || end - at < 3) return 0;
    *code = (*at & 0xfu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    bool is = *code == 0x200e || *code == 0x200f || (*code >= 0x2028 && *code <= 0x202e) ||
              (*code >= 0x2066 && *code <= 0x2069);
    return is ? 3 : 0;
}

static void put_escape(xy_buffer *out, uint32_t code) {
    static const char SHORT[] = "btn\0fr"; /* from 8 on */
    static const char HEX[] = "0123456789abcdef";
    uint8_t text[6] = {'\\', 'u', '0', '0', '0', '0'};
    size_t size = 6;
    if (code == '"' || code == '\\' || (code >= 8 && code <= 13 && SHORT[code - 8])) {
        text[1] = (uint8_t)(code < 32 ? SHORT[code - 8] : (char)code);
        size = 2;
    } else
        for (uint32_t i = 0; i < 4; i++)
            text[2 + i] = (uint8_t)HEX[code >> (12 - 4 * i) & 15];
    xy_append(out, text, size);
}

static void put_string(xy_buffer *out, const uint8_t *text, size_t size) {
    const uint8_t *end = text + size, *done = text;
    xy_append_u8(out, '"');
    for (const uint8_t *at = text; at < end;) {
        uint32_t code = *at, bytes = code < 32 || code == '"' || code == '\\';
        if (!bytes && code >= 0x7f && !writer.separator) bytes = unprintable(at, end, &code);
        if (!bytes) {
            at++;
            continue;
        }
        xy_append(out, done, (size_t)(at - done));
        put_escape(out, code);
        done = at += bytes;
    }
    xy_append(out, done, (size_t)(end - done));
    xy_append_u8(out, '"');
}

static void put_json(xy_buffer *out, const node *n, uint32_t row);

static void put_list(xy_buffer *out, const node *child, uint32_t from, uint32_t to) {
    xy_append_u8(out, '[');
    for (uint32_t i = from; i < to; i++) {
        if (i > from) xy_append_u8(out, ',');
        put_json(out, child, i);
    }
    xy_append_u8(out, ']');
}

static void put_label(xy_buffer *out, const node *n, uint32_t i) {
    int32_t from = n->offsets[i];
    xy_append(out, n->text + from, (size_t)(n->offsets[i + 1] - from));
}

static void put_json(xy_buffer *out, const node *n, uint32_t row) {
    switch (n->kind) {
    case XE_NUMBERS: put_number(out, n, row, true); break;
    case XE_TEXTS:
        put_string(out, n->text + n->offsets[row], (size_t)(n->offsets[row + 1] - n->offsets[row]));
        break;
    case XE_JSON: put_label(out, n, row); break;
    case XE_LISTS:
        put_list(out, n->children, (uint32_t)n->offsets[row], (uint32_t)n->offsets[row + 1]);
        break;
    case XE_ARRAYS: put_list(out, n->children, row * n->size, (row + 1) * n->size); break;
    case XE_STRUCTS:
        for (uint32_t i = 0; i < n->child_count; i++) {
            put_label(out, n, i);
            put_json(out, &n->children[i], row);
        }
        put_label(out, n, n->child_count);
        break;
    case XE_OPTIONALS:
        if (n->data[row])
            put_json(out, n->children, row);
        else
            xy_append(out, "null", 4);
        break;
    case XE_VARIANTS:
        if (n->data[row] < n->child_count)
            put_json(out, &n->children[n->data[row]], (uint32_t)n->offsets[row]);
        else
            xy_append(out, "null", 4);
        break;
    default: break;
    }
}

/* ---------------------------------------------------------------- cells */

static void put_quoted(xy_buffer *out, const uint8_t *text, size_t size) {
    bool plain = size > 0;
    size_t marks = 0;
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = text[i];
        if (byte == '"') marks++;
        plain &= byte != '"' && byte != '\r' && byte != '\n' && byte != writer.separator;
    }
    if (plain) {
        xy_append(out, text, size);
        return;
    }
    uint8_t *to = xy_extend(out, xy_bytes_of((uint64_t)size + marks + 2, 1));
    if (!to) return;
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') *to++ = '"';
        *to++ = text[i];
    }
    *to = '"';
}

static void put_cell(const node *n, uint32_t row) {
    xy_buffer *out = &writer.out;
    switch (n->kind) {
    case XE_NUMBERS: put_number(out, n, row, false); break;
    case XE_TEXTS:
        put_quoted(out, n->text + n->offsets[row], (size_t)(n->offsets[row + 1] - n->offsets[row]));
        break;
    case XE_OPTIONALS:
        if (n->data[row]) put_cell(n->children, row);
        break;
    default:
        writer.cell.len = 0;
        put_json(&writer.cell, n, row);
        put_quoted(out, writer.cell.data, writer.cell.len);
    }
}

int32_t xe_text(uint32_t nodes_at, uint32_t count, uint32_t separator) {
    writer.result = (xe_written){0};
    writer.out.len = 0;
    writer.out.failed = writer.cell.failed = false;
    writer.separator = (uint8_t)separator;
    uint64_t words = (uint64_t)count * (sizeof(xe_node) / 4);
    const xe_node *from = (const xe_node *)xe_in_input(nodes_at, words, 4);
    if (!from || count == 0 || separator > 0x7f) return XE_DAMAGED;
    node *nodes = (node *)xy_new(count, sizeof(node));
    if (!nodes) return XE_NO_MEMORY;
    bool good = take_nodes(nodes, from, count);
    for (uint32_t row = 0; good && row < nodes->rows && !writer.out.failed && !writer.cell.failed;
         row++) {
        if (separator == 0) {
            put_json(&writer.out, nodes, row);
            continue;
        }
        for (uint32_t i = 0; i < nodes->child_count; i++) {
            put_label(&writer.out, nodes, i);
            put_cell(&nodes->children[i], row);
        }
        put_label(&writer.out, nodes, nodes->child_count);
    }
    free(nodes);
    if (!good) return XE_DAMAGED;
    if (writer.out.failed || writer.cell.failed || writer.out.len > XY_MAX_BYTES)
        return XE_NO_MEMORY;
    writer.result = (xe_written){writer.out.data, (uint32_t)writer.out.len};
    return XE_OK;
}
