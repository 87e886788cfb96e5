import type { ClassInfo } from '../../../api/api';
import { trimEndOf } from '../../../base/text';

/** Maximum length of a comment, in characters. */
const MAX_LENGTH = 160;

/**
 * Returns text of a file as (part of) a comment of one line. Characters that could end the comment, continue
 * the line or change the direction of the text are replaced, because the text may be hostile.
 */
export function commentText(text: string): string {
  const plain = text
    // Controls, line ends of any script, and what turns the direction of text.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('*/', '* /')
    .replaceAll('/*', '/ *')
    .replaceAll('??/', '?? /')
    .trim();
  const cut = plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH - 1)}…` : plain;
  return trimEndOf(cut, '\\ ');
}

/** Makes identifiers, each only once; it never returns one of `taken`. */
export class Identifiers {
  readonly #used = new Set<string>();

  constructor(readonly taken: (name: string) => boolean) {}

  /** An identifier like `name`, which may be any text. */
  give(name: string): string {
    let identifier = name.slice(0, 200).replace(/[^A-Za-z0-9_]+/g, '_');
    if (!/^[A-Za-z_]/.test(identifier)) identifier = `_${identifier}`;
    // C++ reserves these identifiers.
    identifier = identifier.replace(/__+/g, '_').replace(/^_(?=[A-Z])/, 'x_');
    let free = identifier;
    for (let i = 2; this.#used.has(free) || this.taken(free); i++)
      free = i === 2 ? `${identifier}_` : `${identifier}_${i}`;
    this.#used.add(free);
    return free;
  }
}

/** The identifier of each class; the newest version of a class has its plain name. */
export function nameClasses(
  names: Map<string, ClassInfo[]>,
  taken: (name: string) => boolean,
): Map<ClassInfo, string> {
  const identifiers = new Identifiers(taken);
  const given = new Map<ClassInfo, string>();
  for (const [name, [newest]] of names) if (newest) given.set(newest, identifiers.give(name));
  for (const [name, versions] of names) {
    for (const older of versions.slice(1)) given.set(older, identifiers.give(`${name}_v${older.version}`));
  }
  return given;
}
