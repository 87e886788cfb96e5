/* Memory that decoders reuse. A file of its own, because every context has one, also in modules
 * without decoders. */
#include "decoder.h"

void xy_scratch_free(xy_scratch *scratch) {
    xy_codec_destroy(scratch->codec);
    xy_buffer_free(&scratch->object);
    for (int i = 0; i < scratch->spare_count; i++)
        xy_buffer_free(&scratch->spares[i]);
    memset(scratch, 0, sizeof *scratch);
}
