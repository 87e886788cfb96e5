import type { LoadedSelector } from './selector';
import { TOOLS } from './tools';
import type { SelectorTask } from './types';
import { NOMINAL } from './vary';

type Facts = Pick<SelectorTask, 'file' | 'tree' | 'sample' | 'weights' | 'entries'>;

/**
 * Returns the task that the code of a selector gets for a part. One literal has all members, because engines keep the form of its
 * objects: an object that is copied together gets a form of its own, for which the code of the selector would be compiled anew.
 */
export function taskOf(
  { set, files, tools }: Pick<LoadedSelector, 'set' | 'files' | 'tools'>,
  { file, tree, sample, weights, entries }: Facts,
): SelectorTask {
  const { pairs, triples, combinations, cross, order, p4, deltaPhi, deltaR } = TOOLS;
  const { corrections, goodRuns, eventList, pileup, model } = tools;
  const task = {
    pairs,
    triples,
    combinations,
    cross,
    order,
    p4,
    deltaPhi,
    deltaR,
    corrections,
    goodRuns,
    eventList,
    pileup,
    model,
    file,
    tree,
    sample,
    variation: NOMINAL,
    set,
    files,
    weights,
    // No whole number, so that the member is made for any number.
    weight: Number.NaN,
    count: entries.length,
    entries,
    entry: Number.NaN,
  };
  task.weight = 1;
  return task;
}
