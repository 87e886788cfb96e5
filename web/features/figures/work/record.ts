import { version } from '../../../../package.json';
import { storedAddress } from '../../../io/signatures';
import type { PlotQuery } from '../../../plot/query';
import type { Style } from './style';

/** The query and the style of a figure, which are kept in it. */
export interface FigureRecord extends PlotQuery {
  program: string;
  style: Style;
}

/** Returns the record of a figure. Addresses of files are without their secrets. */
export function recordOf(query: PlotQuery, style: Style): FigureRecord {
  const layers = query.layers?.map((layer) => withoutSecrets(layer));
  return { program: `xylem ${version}`, ...withoutSecrets(query), ...(layers && { layers }), style };
}

function withoutSecrets<T extends { file?: string | undefined }>(query: T): T {
  return query.file === undefined ? query : { ...query, file: publicName(query.file) };
}

/** Returns an address without its secrets. Of a path from the root of a disk only the name of the file is left. */
function publicName(file: string): string {
  const isPath = /^(\/|\\|[A-Za-z]:[\\/])/.test(file);
  return isPath
    ? file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
    : storedAddress(file);
}

/** Returns a record in one line: "pt {n>1} of Events in file.root". */
export function recordText({ file, tree, draw = '', cut = '', layers = [] }: FigureRecord): string {
  const selected = cut === '' ? draw : `${draw} {${cut}}`;
  const more =
    layers.length === 0 ? '' : `, with ${layers.length} more ${layers.length === 1 ? 'layer' : 'layers'}`;
  return `${selected}${tree === undefined ? '' : ` of ${tree}`}${file === undefined ? '' : ` in ${file}`}${more}`;
}
