/**
 * Takes the bytes of a file that is written. Bytes come in ascending order, without gaps, except those of the start of
 * the file, which come last.
 */
export interface Sink {
  /** `bytes` may be used again once it resolves. */
  write(at: number, bytes: Uint8Array): Promise<void>;
}

/** A sink in memory; `bytes` gives the file. */
export function memorySink(): Sink & { bytes(): Uint8Array<ArrayBuffer> } {
  let all = new Uint8Array(64 * 1024);
  let end = 0;
  return {
    async write(at, bytes) {
      const needed = at + bytes.length;
      if (needed > all.length) {
        const more = new Uint8Array(Math.max(needed, 2 * all.length));
        more.set(all.subarray(0, end));
        all = more;
      }
      all.set(bytes, at);
      end = Math.max(end, needed);
    },
    bytes: () => all.slice(0, end),
  };
}
