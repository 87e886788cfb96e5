import type { Branches, DefinedSelector } from './work/define';

/**
 * Returns a selector unchanged. TypeScript then knows the names of its branches and the members of its state in `entry` and
 * `process`. With the type of a tree, as `xylem types` writes it, values have their types: `defineSelector<Events>()({ … })`.
 */
export function defineSelector<const B extends Branches, State extends object>(
  selector: DefinedSelector<B, State>,
): DefinedSelector<B, State>;
export function defineSelector<Tree extends object>(): <const B extends Branches, State extends object>(
  selector: DefinedSelector<B, State, Tree>,
) => DefinedSelector<B, State, Tree>;
export function defineSelector(selector?: unknown): unknown {
  return selector ?? ((given: unknown) => given);
}
