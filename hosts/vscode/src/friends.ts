import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * Says which files of friends are read for one file, whose trees may name any path of the machine: those below its folder or
 * a folder of the workspace, and others when a person agrees. After a no it asks nothing more. Links count by where they lead.
 */
export class FriendRule {
  readonly #answers = new Map<string, Promise<boolean>>();
  #last: Promise<boolean> = Promise.resolve(true);

  constructor(
    readonly file: string,
    readonly folders: () => readonly string[],
    readonly ask: (path: string) => Promise<boolean>,
  ) {}

  /** Returns the path that is read; undefined if the user did not agree. */
  async allowed(path: string): Promise<string | undefined> {
    const found = await real(path);
    const places = [dirname(this.file), dirname(await real(this.file)), ...this.folders()];
    for (const place of places) if (isBelow(await real(place), found)) return found;
    const answer = this.#answers.get(found) ?? this.#last.then((yes) => yes && this.ask(found));
    this.#answers.set(found, answer);
    this.#last = answer;
    return (await answer) ? found : undefined;
  }
}

/** Returns the target of a path behind links. The path of a missing file stays as it is written. */
async function real(path: string): Promise<string> {
  return await realpath(path).catch(() => resolve(path));
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
