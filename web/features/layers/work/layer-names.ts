/** The facts that distinguish layers. */
export interface Named {
  /** The expression, or the path of a stored object. */
  what: string;
  /** Empty for all values. */
  cut: string;
  /** Name or address of its file. */
  file: string;
  label?: string | undefined;
}

/**
 * Returns short names of layers: the expression, the cut or the file in which they differ, otherwise the expression.
 */
export function layerNames(layers: readonly Named[]): string[] {
  const differs = (part: (layer: Named) => string) => new Set(layers.map(part)).size > 1;
  const byWhat = differs(({ what }) => what);
  const byCut = differs(({ cut }) => cut.trim());
  const files = differs(({ file }) => file) ? apartNames(layers.map(({ file }) => file)) : undefined;
  return layers.map(({ what, cut, label }, i) => {
    if (label) return label;
    const said = cut.trim();
    const own = byWhat || (!byCut && !files) ? what : '';
    const cutText = !byCut ? '' : own !== '' ? (said === '' ? '' : ` {${said}}`) : said || 'all values';
    return [`${own}${cutText}`, files?.[i] ?? ''].filter(Boolean).join(', ');
  });
}

/** Returns the last parts of addresses; if these are equal, including the folders in which they differ. */
export function apartNames(names: readonly string[]): string[] {
  const all = names.map((name) => (name.split(/[?#]/, 1)[0] ?? '').split(/\/+/).filter(Boolean));
  const shortest = Math.min(...all.map(({ length }) => length));
  let same = 0;
  while (same < shortest && new Set(all.map((parts) => parts.at(-1 - same))).size === 1) same++;
  return all.map((own, i) => {
    const last = own.at(-1) ?? names[i] ?? '';
    const apart = own.at(-1 - same);
    if (same === 0 || apart === undefined) return last;
    return same === 1 ? `${apart}/${last}` : `${apart}/…/${last}`;
  });
}
