import { CALL, type Rules } from '../../../base/options';
import { ANY, FLAG, NUMBER, OBJECT, oneOf, TEXT } from '../../../base/shape';
import type { PlanOptions } from './plan/write-plan';
import type { HealOptions, MergeOptions, RootOptions, SalvageOptions, SkimOptions } from './work';

/** Rules for the options of each verb. Trees, branches and entries are checked later, where they are chosen. */
const VERB = { ...CALL, name: TEXT, reproducible: FLAG } as const;
const PLAN: Rules<PlanOptions> = { ...CALL, places: NUMBER, links: ANY };

export const HEAL: Rules<HealOptions> = {
  ...VERB,
  verify: FLAG,
  level: oneOf('clusters', 'order', 'rebasket'),
  clusterBytes: NUMBER,
  codec: OBJECT,
  by: OBJECT,
};
export const SKIM: Rules<SkimOptions> = {
  ...VERB,
  verify: FLAG,
  selection: OBJECT,
  entries: ANY,
  cut: TEXT,
  entriesOf: TEXT,
  codec: OBJECT,
  to: oneOf('rntuple'),
};
export const SALVAGE: Rules<SalvageOptions> = { ...VERB, verify: FLAG };
export const MERGE: Rules<MergeOptions> = {
  ...VERB,
  verify: FLAG,
  schema: oneOf('strict', 'filter', 'union'),
  choice: OBJECT,
};
export const ROOT: Rules<RootOptions> = { ...VERB, codec: TEXT, format: oneOf('root', 'rntuple') };
export const PLAN_HEAL: Rules<HealOptions & PlanOptions> = { ...HEAL, ...PLAN };
export const PLAN_SKIM: Rules<SkimOptions & PlanOptions> = { ...SKIM, ...PLAN };
