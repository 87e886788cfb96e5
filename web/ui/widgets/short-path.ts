/** Characters of a name that stand beside a bar. */
const MAX_CHARACTERS = 56;

/**
 * A path for a narrow place. Paths of split branches repeat the names above: of "jets./jets.obj/jets.obj.pt" the last part
 * says everything. A name that is still long is cut in its middle, because its ends tell it from its neighbours.
 */
export function shortPath(path: string, most = MAX_CHARACTERS): string {
  const parts = path.split('/');
  const kept = parts.filter((part, i) => !(parts[i + 1] ?? '').startsWith(part.replace(/\.$/, '')));
  const name = kept.join('/');
  if (name.length <= most) return name;
  const head = Math.floor((most - 1) / 3);
  return `${name.slice(0, head)}…${name.slice(name.length - (most - 1 - head))}`;
}
