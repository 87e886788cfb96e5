import { UsageError } from '../../../cli/arguments';

/** "name=value" as members. Throws UsageError. */
export function settingsOf(words: readonly string[] | undefined): Record<string, string> {
  const pairs = (words ?? []).map((word): [string, string] => {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`--set takes NAME=VALUE, not "${word}".`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  // Equal settings have equal texts.
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}
