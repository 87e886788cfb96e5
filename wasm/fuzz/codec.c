/* One block of the codec XY_FUZZ_TAG: 3 bytes (little-endian) with the size that it claims to
 * give, then the payload. The decoder is kept from input to input, as the product keeps it. */
#include "input.h"

#include "../src/codec/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static xy_codec *codec;
    if (!codec) codec = xy_codec_create();
    if (size < 3 || !codec) return 0;
    size_t wanted = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)(data[2] & 15) << 16;
    size_t payload = size - 3;
    part block = {malloc(9 + payload), 9 + payload};
    uint8_t *result = malloc(wanted ? wanted : 1);
    if (!block.data || !result) abort();
    const uint8_t envelope[9] = {(uint8_t)XY_FUZZ_TAG[0],
                                 (uint8_t)XY_FUZZ_TAG[1],
                                 8,
                                 (uint8_t)payload,
                                 (uint8_t)(payload >> 8),
                                 (uint8_t)(payload >> 16),
                                 data[0],
                                 data[1],
                                 data[2] & 15};
    memcpy(block.data, envelope, 9);
    memcpy(block.data + 9, data + 3, payload);
    xy_error err = {0};
    xy_status status = xy_decompress(codec, &err, block.data, block.len, result, wanted);
    if ((int32_t)status != err.status || (status != 0) != (err.message[0] != 0)) abort();
    free(block.data);
    free(result);
    return 0;
}
