import { type BasketLayout, type BasketVisits, visitBaskets } from '../../../reads/basket-layout';
import { JSROOT_RANGES, jsrootNtupleReads, jsrootReads } from './jsroot-reads';
import type { ProgramRead, ReadChoice } from './program-read';
import type { Strategy } from './programs';
import type { Block } from './simulate-blocks';
import { TreeCacheModel } from './simulate-cache';
import { cacheReads528 } from './simulate-cache-528';
import { clusterPoolReads } from './simulate-pool';
import { uprootPages, uprootReads } from './uproot-reads';

export interface ReadsOptions {
  /**
   * Maximum gap that a TTreeCache reads over: 0 over root:// and HTTP, where one request has all ranges. Default: that
   * of a local file.
   */
  readAhead?: number | undefined;
}

/** Returns the reads of a strategy, in order. */
export function readsOf(
  layout: BasketLayout,
  choice: ReadChoice,
  strategy: Strategy,
  options?: ReadsOptions,
): ProgramRead[] {
  return readerOf(layout, choice, options)(strategy);
}

/** Returns a function that gives the reads of one strategy. Work that strategies share is done once. */
export function readerOf(
  layout: BasketLayout,
  choice: ReadChoice,
  { readAhead }: ReadsOptions = {},
): (strategy: Strategy) => ProgramRead[] {
  let known: BasketVisits | undefined;
  const visitsOf = () => {
    known ??= visitBaskets(layout, choice.branches, choice.entries);
    return known;
  };
  return (strategy) => {
    switch (strategy.kind) {
      case 'cache': {
        const reads: ProgramRead[] = [];
        const { branches, entries } = choice;
        const options = {
          cacheBytes: strategy.bytes,
          known: strategy.known,
          readAhead: readAhead ?? strategy.ahead,
          onRead: (entry: number, blocks: readonly Block[]) => reads.push({ entry, blocks: blocks.slice() }),
        };
        if (strategy.release === '5.28') cacheReads528(layout, branches, entries, options, visitsOf());
        else new TreeCacheModel(layout, branches, entries, options).run(visitsOf());
        return reads;
      }
      case 'pool': {
        const reads: ProgramRead[] = [];
        clusterPoolReads(layout, visitsOf(), (blocks, first) =>
          reads.push({ entry: Math.max(choice.entries.from, first), blocks }),
        );
        return reads;
      }
      case 'jsroot': {
        const read = layout.kind === 'RNTuple' ? jsrootNtupleReads : jsrootReads;
        return read(layout, choice, strategy.ranges ?? JSROOT_RANGES);
      }
      case 'uproot':
        return layout.kind === 'RNTuple' ? uprootPages(layout, choice) : uprootReads(layout, choice);
      case 'coffea':
        return choice.branches.flatMap((branch) => uprootReads(layout, { ...choice, branches: [branch] }));
      case 'readahead':
        return withReadAhead(storedBaskets(layout, visitsOf()), strategy.bytes, endOfBaskets(layout));
      case 'none':
        return storedBaskets(layout, visitsOf());
    }
  };
}

/** Returns a read for each basket that is not in the record of the tree. */
function storedBaskets({ offsets, bytes }: BasketLayout, visits: BasketVisits): ProgramRead[] {
  const reads: ProgramRead[] = [];
  visits.basket.forEach((basket, i) => {
    const offset = offsets[basket] ?? 0;
    const length = bytes[basket] ?? 0;
    if (offset > 0) reads.push({ entry: visits.entry[i] ?? 0, blocks: [{ offset, length, wanted: length }] });
  });
  return reads;
}

/** Each read fetches at least `least` bytes, and serves those that follow it within these bytes. */
function withReadAhead(wanted: readonly ProgramRead[], least: number, fileEnd: number): ProgramRead[] {
  const reads: ProgramRead[] = [];
  let from = 0;
  let until = 0;
  let open: Block | undefined;
  for (const { entry, blocks } of wanted) {
    for (const { offset, length } of blocks) {
      if (open !== undefined && offset >= from && offset + length <= until) {
        open.wanted += length;
        continue;
      }
      from = offset;
      until = Math.max(offset + length, Math.min(fileEnd, offset + least));
      open = { offset, length: until - from, wanted: length };
      reads.push({ entry, blocks: [open] });
    }
  }
  return reads;
}

function endOfBaskets({ offsets, bytes }: BasketLayout): number {
  let end = 0;
  for (let i = 0; i < offsets.length; i++) end = Math.max(end, (offsets[i] ?? 0) + (bytes[i] ?? 0));
  return end;
}
