/* A compressed object cut at any length is an error with a message and an offset inside of it, and
 * nothing is read behind its end (ASan watches: the input is an allocation of exactly its length).
 */
#include "../src/codec/codec.h"
#include "support/check.h"
#include "support/encode.h"

#include <string.h>

static void cut_everywhere(method how, int kind, size_t len, size_t block) {
    bytes content = make_content(kind, len);
    bytes whole = encode(how, 5, content.data, len, block);
    bytes result = make_content(0, len);
    xy_codec *codec = xy_codec_create();
    CHECK(codec);
    for (size_t cut = 0; cut < whole.len; cut++) {
        if (cut == len) continue; /* taken for a stored object, as the format has it */
        bytes part = copy_of(whole.data, cut);
        xy_error err = {0};
        xy_status status = xy_decompress(codec, &err, part.data, cut, result.data, len);
        CHECK(status == XY_E_TRUNCATED, "%s cut at %zu of %zu gives %d: %s", METHOD_TAGS[how], cut,
              whole.len, (int)status, err.message);
        CHECK(err.status == (int32_t)status && err.offset <= cut && err.message[0] != '\0');
        free(part.data);
    }
    /* The envelope tells the truth of a payload that is cut: the decoders themselves must notice.
     */
    for (size_t gone = 1; gone < whole.len - ENVELOPE && block >= len; gone++) {
        if (whole.len - gone == len) continue;
        bytes part = copy_of(whole.data, whole.len - gone);
        size_t payload = part.len - ENVELOPE;
        part.data[3] = (uint8_t)payload;
        part.data[4] = (uint8_t)(payload >> 8);
        part.data[5] = (uint8_t)(payload >> 16);
        xy_error err = {0};
        xy_status status = xy_decompress(codec, &err, part.data, part.len, result.data, len);
        CHECK(status == XY_E_COMPRESSION || status == XY_E_CHECKSUM, "%s short of %zu gives %d",
              METHOD_TAGS[how], gone, (int)status);
        free(part.data);
    }
    xy_codec_destroy(codec);
    free(content.data);
    free(whole.data);
    free(result.data);
}

int main(void) {
    for (int how = 0; how < METHODS; how++) {
        cut_everywhere((method)how, 2, 700, 700);
        cut_everywhere((method)how, 3, 900, 300);
    }
    return 0;
}
