/** The choice of how a file is healed: see `HealOptions`. */
export interface HealChoice {
  level: 'order' | 'rebasket' | 'clusters';
  codec: HealCodec;
}

/** A codec of healing by its name; `keep` copies baskets as they are. */
export type HealCodec = 'keep' | 'zstd:5' | 'lz4:4' | 'zlib:1' | 'lzma:5' | 'none';
