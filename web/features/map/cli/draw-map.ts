import type { Context } from '../../../cli/context';
import type { MarkedMap } from '../work/map-report';
import { colourMap, coverRows, letterMap } from './terminal-map';

const FITTED_ROWS = 24;
const MAX_ROWS = 10_000;

/** Draws a map in colours, or in letters where there are none. `rows`: bytes of a row. */
export async function drawMap(
  { map, chosen, laid }: MarkedMap,
  { rows: asked }: { readonly rows?: unknown },
  { out }: Context,
): Promise<void> {
  const rowBytes = typeof asked === 'number' ? asked : Math.max(64, map.size / FITTED_ROWS);
  const rows = Math.min(MAX_ROWS, Math.max(1, Math.ceil(map.size / rowBytes)));
  const coloured = out.columns !== undefined && !process.env.NO_COLOR;
  const draw = coloured ? colourMap : letterMap;
  const put = (line: string): void => (coloured ? out.styled(`${line}\n`) : out.line(line));
  const area = { width: out.columns ?? 80, rows, rowBytes };
  const covers = laid.map(({ cover }) => cover);
  const below = covers.length > 0 ? coverRows(covers, area) : [];
  for (const [i, line] of draw(map, { ...area, chosen }).entries()) {
    put(line);
    if (below[i]) out.line(below[i]);
    await out.drain();
  }
  out.line();
}
