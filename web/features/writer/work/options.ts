import type { RequestOptions } from '../../../api/api';
import type {
  HealOptions,
  MergeOptions,
  PlanOptions,
  RootOptions,
  SalvageOptions,
  SkimOptions,
} from '../../../api/write';
import { CALL, type Rules } from '../../../base/options';
import { ANY, FLAG, NUMBER, OBJECT, oneOf, opaque, TEXT, TEXT_BY_NAME } from '../../../base/shape';
import { READER, REQUEST } from '../../../library/options';
import type {
  MergeRootOptions,
  NewNtupleOptions,
  NewTreeOptions,
  WriteRootOptions,
} from '../../../library/write';

/** Rules for the options of each verb. Trees, branches and entries are checked later, where they are chosen. */
const VERB = { ...CALL, name: TEXT, reproducible: FLAG } as const;
const PLAN: Rules<PlanOptions> = { ...CALL, places: NUMBER, layouts: FLAG, links: ANY };

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

export const MERGE_ROOT: Rules<Pick<MergeRootOptions, keyof RequestOptions | 'reader'>> = {
  ...REQUEST,
  reader: READER,
};
export const WRITE_ROOT: Rules<WriteRootOptions> = {
  codec: TEXT,
  name: TEXT,
  reproducible: FLAG,
  reader: READER,
  signal: CALL.signal,
};
const CLUSTER_BYTES = opaque('a number of bytes above 0', (value) => NUMBER.is(value) && value > 0);
export const NEW_NTUPLE: Rules<NewNtupleOptions> = {
  title: TEXT,
  types: OBJECT,
  titles: TEXT_BY_NAME,
  clusterBytes: CLUSTER_BYTES,
};
export const NEW_TREE: Rules<NewTreeOptions> = { ...NEW_NTUPLE, counters: TEXT_BY_NAME };
