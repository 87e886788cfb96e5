import type { ReaderChannel } from '../../workers/json-channel';

/** Two ends that give each other text and copies of buffers, as programs do. */
export function twoEnds(): {
  page: ReaderChannel;
  program: ReaderChannel;
  bytes: () => number;
  cut: (why: string) => void;
} {
  const cutters = new Set<(why: string) => void>();
  let cutFor: string | undefined;
  type Hear = Parameters<ReaderChannel['onMessage']>[0];
  const heard = { page: new Set<Hear>(), program: new Set<Hear>() };
  let bytes = 0;
  const end = (own: keyof typeof heard, other: keyof typeof heard): ReaderChannel => ({
    post(message, buffers) {
      if (cutFor !== undefined) return;
      const text = JSON.stringify(message);
      bytes += buffers.reduce((sum, { byteLength }) => sum + byteLength, text.length);
      // Views of a larger buffer, as some programs hand them on.
      const views = buffers.map((buffer) => {
        const larger = new Uint8Array(buffer.byteLength + 3);
        larger.set(new Uint8Array(buffer), 3);
        return larger.subarray(3);
      });
      queueMicrotask(() => {
        for (const hear of heard[other]) hear(JSON.parse(text), views);
      });
    },
    onMessage(listener) {
      heard[own].add(listener);
      return () => heard[own].delete(listener);
    },
    onEnd(listener) {
      if (cutFor !== undefined) listener(cutFor);
      cutters.add(listener);
      return () => cutters.delete(listener);
    },
  });
  /** As a process that is killed: nothing comes any more, and both sides are told so. */
  const cut = (why: string): void => {
    cutFor = why;
    for (const listener of cutters) listener(why);
  };
  return { page: end('page', 'program'), program: end('program', 'page'), bytes: () => bytes, cut };
}
