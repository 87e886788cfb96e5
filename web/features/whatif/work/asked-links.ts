import type { NamedLink } from '../../../api/doctor';
import { listOf, type Shape, textLike } from '../../../base/shape';

/** Bytes in a millisecond of a link of 1 Mbit/s. */
export const MBIT = 125;

/**
 * The clients of the table "TTreeCache with LANs and WANs" of ROOT's talks (2005 to 2010): the same machine, and six links from a local
 * network to a line to the other side of the Atlantic.
 */
export const CLIENTS: readonly NamedLink[] = [
  ['A', 0.05, 10_000],
  ['B', 0.3, 100],
  ['C', 2, 10],
  ['D', 11, 100],
  ['E', 22, 100],
  ['F', 72, 8],
  ['G', 240, 10_000],
].map(([name, latencyMs, mbit]) => ({
  name: String(name),
  latencyMs: Number(latencyMs),
  bytesPerMs: Number(mbit) * MBIT,
}));

const LINK = /^([^=/,]+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/;

/** Links as options name them: "office=20/100,home=35/16". */
export const LINKS_ASKED: Shape<readonly string[]> = listOf(
  textLike('NAME=MS/MBIT with a round trip in ms and a bandwidth in Mbit/s, both above 0', LINK),
  undefined,
  1,
);

/** Returns the links that such texts name. */
export function linksOf(texts: readonly string[]): NamedLink[] {
  return texts.map((text) => {
    const [, name = '', ms, mbit] = LINK.exec(text) ?? [];
    return { name, latencyMs: Number(ms), bytesPerMs: Number(mbit) * MBIT };
  });
}
