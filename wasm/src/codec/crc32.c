/* CRC-32 for liblzma. It replaces liblzma's own file because its tables of 8 kB do not compress;
 * here the tables are computed at first use, in some microseconds. Eight bytes are taken at a
 * time: row k of the tables holds the effect of a byte after k more bytes. */
#include <lzma.h>

static uint32_t after[8][256];

static void make_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        after[0][byte] = crc;
    }
    for (int row = 1; row < 8; row++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t crc = after[row - 1][byte];
            after[row][byte] = crc >> 8 ^ after[0][crc & 255];
        }
}

static uint32_t le32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t lzma_crc32(const uint8_t *data, size_t len, uint32_t crc) {
    if (!after[0][1]) make_tables();
    crc = ~crc;
    for (; len >= 8; data += 8, len -= 8) {
        uint32_t a = crc ^ le32(data), b = le32(data + 4);
        crc = after[7][a & 255] ^ after[6][a >> 8 & 255] ^ after[5][a >> 16 & 255] ^
              after[4][a >> 24] ^ after[3][b & 255] ^ after[2][b >> 8 & 255] ^
              after[1][b >> 16 & 255] ^ after[0][b >> 24];
    }
    for (; len > 0; data++, len--)
        crc = crc >> 8 ^ after[0][(crc ^ *data) & 255];
    return ~crc;
}
