import type { DataModel } from '../file/data-model';
import { type Catalog, catalogOf, type Named } from './catalog';

/** A tree whose names an expression may use: the one that is queried, or a friend of it. */
export interface Scope {
  /** Alias of a friend; of the tree itself its name. */
  name: string;
  model: DataModel;
  catalog: Catalog;
  /** Index among the friends; -1: the tree itself. */
  friend: number;
  /** Its entries are not those of the same number, or some are missing: each is looked up. */
  mapped: boolean;
}

/** What a name means, and in which tree. */
export interface FoundName extends Named {
  scope: Scope;
}

/** The names that an expression may use, looked up as TTree::FindLeaf does: friends come last. */
export class Scopes {
  readonly main: Scope;

  constructor(
    model: DataModel,
    readonly friends: readonly Scope[] = [],
  ) {
    this.main = { name: model.info.name, model, catalog: catalogOf(model), friend: -1, mapped: false };
  }

  /** A branch by its name, or by "tree.branch" and "alias.branch". */
  find(name: string): FoundName | undefined {
    for (const scope of [this.main, ...this.friends]) {
      const found = findIn(scope, name);
      if (found) return { ...found, scope };
    }
    return undefined;
  }

  /** See Catalog.isPath; also behind the name of a tree. */
  isPath(name: string): boolean {
    return [this.main, ...this.friends].some(
      (scope) =>
        scope.catalog.isPath(name) ||
        prefixesOf(scope).some(
          (prefix) => name.startsWith(prefix) && scope.catalog.isPath(name.slice(prefix.length)),
        ),
    );
  }

  /** All names, for suggestions. */
  names(): string[] {
    const friends = this.friends.flatMap(({ name, catalog }) =>
      catalog.names().flatMap((branch) => [branch, `${name}.${branch}`]),
    );
    return [...this.main.catalog.names(), ...friends];
  }
}

function findIn(scope: Scope, name: string): Named | undefined {
  const own = scope.catalog.find(name);
  if (own) return own;
  for (const prefix of prefixesOf(scope)) {
    const found = name.startsWith(prefix) ? scope.catalog.find(name.slice(prefix.length)) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** A friend may be called by its alias and by the name of its tree. */
function prefixesOf({ name, model }: Scope): string[] {
  return [`${name}.`, `${model.info.name}.`];
}
