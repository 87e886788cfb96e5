const algorithms = ['zlib', 'zlib', 'lzma', 'old', 'lz4', 'zstd'];

/** A codec setting of ROOT's, 100 × algorithm + level, in words: "zstd 5", "none", "not known". */
export function compressionName(setting: number): string {
  if (setting < 0) return 'not known';
  const level = setting % 100;
  return level === 0 ? 'none' : `${algorithms[Math.floor(setting / 100)] ?? 'unknown'} ${level}`;
}
