import { unsupported } from '../base/data-errors';
import * as features from '../features/cli';
import type { CliCalls, CliPart } from './part';

const parts: readonly CliPart[] = Object.values(features);
const calls: NonNullable<CliPart['calls']> = Object.assign({}, ...parts.map((part) => part.calls));

/** Returns a call that a feature has. Throws UNSUPPORTED if none has it, with what this build does then: "reads no traces". */
export async function callOf<Name extends keyof CliCalls>(
  name: Name,
  lacks: string,
): Promise<CliCalls[Name]> {
  const load = calls[name];
  if (load === undefined) throw unsupported(`This build of xylem ${lacks}.`);
  return await load();
}
