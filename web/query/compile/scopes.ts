import type { DataModel } from '../../model/data-model';
import type { NameRules } from '../language/parser';
import { isCount } from './branch-nodes';
import { type Catalog, catalogOf, type Named } from './catalog';
import { hasMember, isCollection } from './leaf';
import { RootNames } from './root-names';
import { shapesOf } from './shapes';

/** A tree whose names an expression may use: the queried tree or one of its friends. */
export interface Scope {
  /** Alias of the friend; for the tree itself, its name. */
  name: string;
  model: DataModel;
  catalog: Catalog;
  /** Index among the friends; -1 for the tree itself. */
  friend: number;
  /**
   * Whether each entry of the friend is looked up, because its entries do not match those of the tree by
   * number or some are missing.
   */
  mapped: boolean;
  /** If `mapped`: the reason why entries may have no values, as part of a message. */
  lacking?: string | undefined;
}

/** Meaning of a name, and the tree it belongs to. */
export interface FoundName extends Named {
  scope: Scope;
  /** Words after the branch: members of its objects. */
  members: string[];
}

/**
 * The names that an expression may use, looked up as TTree::FindLeaf does: the tree first, then its
 * friends.
 */
export class Scopes implements NameRules {
  readonly main: Scope;

  constructor(
    model: DataModel,
    readonly friends: readonly Scope[] = [],
  ) {
    this.main = { name: model.info.name, model, catalog: catalogOf(model), friend: -1, mapped: false };
  }

  /** Resolves the words of a path. The first word may be the name of a tree or the alias of a friend. */
  resolve(words: readonly string[]): FoundName | undefined {
    const scopes = this.#all();
    for (const scope of scopes) {
      const found = resolveIn(scope, words);
      if (found) return { ...found, scope };
    }
    for (const scope of scopes) {
      const [first, ...rest] = words;
      const own = first === scope.name || first === scope.model.info.name;
      const found = own && rest.length > 0 ? resolveIn(scope, rest) : undefined;
      if (found) return { ...found, scope };
    }
    return undefined;
  }

  /** Whether a name is a path with slashes. It may begin with the name of a tree. */
  isPath(name: string): boolean {
    return this.#all().some(
      (scope) =>
        scope.catalog.isPath(name) ||
        prefixesOf(scope).some(
          (prefix) => name.startsWith(prefix) && scope.catalog.isPath(name.slice(prefix.length)),
        ),
    );
  }

  oddWord(text: string, at: number, to: number): string {
    const words = this.#all().map(({ catalog }) => catalog.oddWord(text, at, to));
    return words.reduce((longest, word) => (word.length > longest.length ? word : longest));
  }

  isDotted(name: string): boolean {
    return this.#all().some(({ catalog }) => catalog.isDotted(name));
  }

  #all(): Scope[] {
    return [this.main, ...this.friends];
  }

  /** Returns all names, for suggestions. */
  names(): string[] {
    const friends = this.friends.flatMap(({ name, catalog }) =>
      catalog.names().flatMap((branch) => [branch, `${name}.${branch}`]),
    );
    return [...this.main.catalog.names(), ...friends];
  }
}

const rootNames = new WeakMap<DataModel, RootNames>();

function rootNamesOf(model: DataModel): RootNames {
  const shapes = shapesOf(model);
  const names =
    rootNames.get(model) ??
    new RootNames(model.info, {
      hasMember: ({ branch }, member) => {
        const schema = branch.kind === 'object' ? shapes.branch(branch) : undefined;
        return schema !== undefined && hasMember(schema, member, shapes.of(branch));
      },
      isCollection: ({ branch, children }) => {
        if (children.length > 0) return branch.kind === 'number' || isCount(branch);
        const schema = branch.kind === 'object' ? shapes.branch(branch) : undefined;
        return schema !== undefined && isCollection(schema);
      },
      isClass: (name) => shapes.isClass(name),
    });
  rootNames.set(model, names);
  return names;
}

/**
 * Resolves words in one tree: in a TTree by the rules of ROOT, otherwise as the longest known name
 * followed by members.
 */
function resolveIn(
  { model, catalog }: Scope,
  words: readonly string[],
): Omit<FoundName, 'scope'> | undefined {
  if (model.info.kind === 'TTree') {
    const found = rootNamesOf(model).find(words);
    const known = found && (found.rest.length === 0 || found.node.branch.kind !== 'group');
    if (known) return { branch: found.node.branch, member: found.member, members: found.rest };
  }
  for (let count = words.length; count > 0; count--) {
    const found = catalog.find(words.slice(0, count).join('.'));
    if (found) return { branch: found.branch, member: found.member, members: words.slice(count) };
  }
  return undefined;
}

/** Prefixes for the names of a friend: its alias and the name of its tree. */
function prefixesOf({ name, model }: Scope): string[] {
  return [`${name}.`, `${model.info.name}.`];
}
