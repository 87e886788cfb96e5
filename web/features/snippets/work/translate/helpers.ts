/** A function of a program, in its language. */
export interface Helper {
  text: string;
  /** Helpers that it calls. */
  needs?: readonly string[];
}

/** The helpers that a program uses. */
export class Helpers {
  readonly #used = new Set<string>();

  constructor(readonly all: Readonly<Record<string, Helper>>) {}

  /** Notes that a helper is used. Returns its name. */
  use(name: string): string {
    this.#used.add(name);
    for (const other of this.all[name]?.needs ?? []) this.use(other);
    return name;
  }

  has(name: string): boolean {
    return this.#used.has(name);
  }

  /** Returns the names of those that are used, in the order of the table. */
  names(): string[] {
    return Object.keys(this.all).filter((name) => this.#used.has(name));
  }

  /** Returns the texts of those that are used, in the order of the table. */
  texts(): string[] {
    return this.names().map((name) => this.all[name]?.text ?? '');
  }
}
