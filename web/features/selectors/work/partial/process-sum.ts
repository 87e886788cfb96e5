import type { CallOptions } from '../../../../api/api';
import type { Gathered, GatheredState, Sample, SampleOfFile } from '../../../../api/selector';
import { XylemError } from '../../../../base/errors';
import { addSums } from '../../../../core/sums/exact-sums';
import { entriesOf, type OpenInput, refuseUnreadable } from '../../../../measure/partial-kind';
import { weightsOf } from '../../../../measure/sample-scale';
import { addCounts, type OptionalCounts } from '../branches';
import { addState } from '../gathered';
import { isOf, kindOf } from '../kinds/kinds';
import type { SideRows } from '../rows/types';
import type { ProcessQuery } from './process-kind';
import type { SampleSum } from './samples';

export interface ProcessSum {
  /** See ProcessResult. */
  optional?: OptionalCounts | undefined;
  entries: number;
  passed: number;
  /** Empty if there are samples, which have states of their own. */
  state: GatheredState;
  samples: Map<string, SampleSum>;
}

export const emptyProcess = (): ProcessSum => ({ entries: 0, passed: 0, state: {}, samples: new Map() });

/** Changes `sum`. */
export function addProcess(sum: ProcessSum, more: ProcessSum): void {
  addCounted(sum, more);
  for (const [name, one] of more.samples) {
    const there = sum.samples.get(name);
    if (there) {
      addCounted(there, one);
      addSums(there.weights, one.weights);
    } else sum.samples.set(name, one);
  }
}

function addCounted(sum: Omit<ProcessSum, 'samples'>, more: Omit<ProcessSum, 'samples'>): void {
  // A result all of whose inputs failed has no members.
  const isNothing = (state: GatheredState): boolean => Object.keys(state).length === 0;
  if (isNothing(sum.state)) sum.state = more.state;
  else if (!isNothing(more.state)) sum.state = addState(sum.state, more.state, undefined);
  const optional = addCounts(sum.optional, more.optional);
  if (optional) sum.optional = optional;
  sum.entries += more.entries;
  sum.passed += more.passed;
}

function ofFile({
  name,
  weight,
  set,
  branches,
  crossSection,
  vary = crossSection !== undefined,
}: Sample): SampleOfFile {
  return {
    ...{ name, vary },
    ...(weight !== undefined && { weight }),
    ...(set && { set }),
    ...(branches && { branches }),
  };
}

/** Runs a selector on an input. Throws if a part of it cannot be read. */
export async function readProcess(
  { set, samples, rootVersion }: Pick<ProcessQuery, 'set' | 'samples' | 'rootVersion'>,
  input: OpenInput,
  options: CallOptions,
): Promise<{ sum: ProcessSum; read: [number, number] }> {
  const read = await entriesOf(input, options);
  const { reader, info, tree, entries, selector: module, sample: name } = input;
  if (!module) throw new XylemError({ code: 'INTERNAL', message: 'There is no selector.' });
  const sample = samples?.find((one) => one.name === name);
  const { keepRows, ...selected } = module;
  const request = {
    ...{ ...selected, tree, set, rootVersion, entries },
    ...(sample && { sample: ofFile(sample) }),
  };
  const { partial, ...sum } = await reader.process(info.id, request, options);
  refuseUnreadable(partial);
  const place = { file: input.file, tree, from: read[0] };
  for (const [name, one] of Object.entries(sum.state)) {
    const joined = kindOf(one).joined?.(one, place) ?? one;
    sum.state[name] = (await keepRows?.(name, joined)) ?? joined;
  }
  if (!sample) return { sum: { ...sum, samples: new Map() }, read };
  const weights = await weightsOf(sample, { entries: sum.entries, rootVersion }, input, options);
  const { entries: count, passed, optional } = sum;
  return {
    sum: {
      entries: count,
      passed,
      ...(optional && { optional }),
      state: {},
      samples: new Map([[sample.name, { ...sum, weights }]]),
    },
    read,
  };
}

/** Returns the files beside a partial result in which rows of tables are. */
export function sidesOf({ state, samples }: Pick<ProcessSum, 'state' | 'samples'>): SideRows[] {
  const found: SideRows[] = [];
  const visit = (one: Gathered): void => {
    if (isOf('varied', one)) for (const part of one.of.values()) visit(part);
    if (!isOf('table', one)) return;
    for (const { blocks } of one.parts)
      for (const block of blocks) if (!Array.isArray(block) && block.kind === 'side') found.push(block);
  };
  for (const all of [state, ...[...samples.values()].map((sample) => sample.state)])
    for (const one of Object.values(all)) visit(one);
  return found;
}
