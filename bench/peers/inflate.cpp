// The limit of reading a file that is compressed by zlib: all baskets of a file are decompressed by libdeflate, compiled for this
// machine, on one thread, and nothing is done with the values.
//   inflate FILE …    prints a line of JSON: wall_s, cpu_s, rss_mb, and bytes
#include <fcntl.h>
#include <libdeflate.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static uint64_t number(const unsigned char *p, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value = value << 8 | p[i];
  return value;
}

static double now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

/** Decompresses the blocks of a record, each with a header of 9 bytes. Returns the bytes, or 0 if one of them is not of zlib. */
static size_t inflate(libdeflate_decompressor *with, const unsigned char *from, const unsigned char *end,
                      std::vector<unsigned char> &into) {
  size_t sum = 0;
  while (end - from > 9) {
    if (from[0] != 'Z' || from[1] != 'L') return 0;
    const size_t in = from[3] | from[4] << 8 | from[5] << 16, out = from[6] | from[7] << 8 | from[8] << 16;
    if (in > static_cast<size_t>(end - from - 9)) return 0;
    if (into.size() < out) into.resize(out);
    if (libdeflate_zlib_decompress(with, from + 9, in, into.data(), out, nullptr) != LIBDEFLATE_SUCCESS) return 0;
    from += 9 + in;
    sum += out;
  }
  return sum;
}

int main(int, char **words) {
  const double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  const int file = open(words[1], O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) return perror(words[1]), 1;
  const size_t size = about.st_size;
  auto *bytes = static_cast<unsigned char *>(mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0));
  if (bytes == MAP_FAILED) return perror(words[1]), 1;
  auto *with = libdeflate_alloc_decompressor();
  std::vector<unsigned char> into;
  size_t sum = 0, step = 0;
  for (size_t at = number(bytes + 8, 4); at + 64 < size; at += step) {
    const int32_t length = static_cast<int32_t>(number(bytes + at, 4));
    step = length < 0 ? -static_cast<int64_t>(length) : length;
    if (step == 0 || step > size - at) break;
    if (length < 0) continue;
    // The name of the class stands after the places of the key and its directory.
    const unsigned char *name = bytes + at + (number(bytes + at + 4, 2) > 1000 ? 34 : 26);
    const size_t head = number(bytes + at + 14, 2), whole = number(bytes + at + 6, 4);
    if (name[0] != 7 || memcmp(name + 1, "TBasket", 7) != 0 || head >= step || whole <= step - head) continue;
    const size_t got = inflate(with, bytes + at + head, bytes + at + step, into);
    if (got == 0) return fprintf(stderr, "a basket at %zu is not of zlib\n", at), 1;
    sum += got;
  }
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("{\"wall_s\": %f, \"cpu_s\": %f, \"rss_mb\": %f, \"bytes\": %zu}\n", now(CLOCK_MONOTONIC) - wall,
         now(CLOCK_PROCESS_CPUTIME_ID) - cpu, used.ru_maxrss / 1024.0, sum);
}
