import { XylemError } from './errors';

/** The failure of naming something that is not there, with what is. */
export function notFound(what: string, name: string, there: readonly string[]): XylemError {
  const like = closest(name, there);
  return new XylemError({
    code: 'NOT_FOUND',
    message: `There is no ${what} "${name}".`,
    where: { path: name },
    fix: like.length > 0 ? `Did you mean ${like.map((l) => `"${l}"`).join(', ')}?` : undefined,
  });
}

/** Up to five names that hold the text, or that start with the same letters. */
function closest(name: string, there: readonly string[]): string[] {
  const low = name.toLowerCase();
  const holds = there.filter((t) => t.toLowerCase().includes(low));
  const found = holds.length > 0 ? holds : there.filter((t) => t.toLowerCase().startsWith(low.slice(0, 3)));
  return [...new Set(found.length > 0 || there.length > 8 ? found : there)].slice(0, 5);
}
