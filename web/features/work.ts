// One entry for each feature that computes with metadata or writes files. Entries load code only when it is used.
import type { WorkPart } from './work-part';

export const boards: WorkPart = {
  insight: {
    openBoard: async () => (await import('./boards/work/insight')).openBoard,
    extendBoard: async () => (await import('./boards/work/insight')).extendBoard,
    brushBoard: async () => (await import('./boards/work/insight')).brushBoard,
    loopsOf: async () => (await import('./boards/work/insight')).loopsOf,
    dragBoard: async () => (await import('./boards/work/insight')).dragBoard,
  },
  moves: ['brushBoard', 'dragBoard'],
};

export const cutflow: WorkPart = {
  insight: { cutflow: async () => (await import('./cutflow/work/insight')).cutflow },
};

export const diff: WorkPart = {
  insight: { diff: async () => (await import('./diff/work/insight')).diff },
};

export const doctor: WorkPart = {
  insight: {
    doctor: async () => (await import('./doctor/work/insight')).doctor,
    stats: async () => (await import('./doctor/work/insight')).stats,
  },
};

export const entry: WorkPart = {
  insight: {
    entryCard: async () => (await import('./entry/work/insight')).entryCard,
    findEntry: async () => (await import('./entry/work/insight')).nextEntry,
  },
};

export const fits: WorkPart = {
  insight: {
    fit: async () => (await import('./fits/work/insight')).fitInWorker,
    fitTogether: async () => (await import('./fits/work/insight')).fitTogetherInWorker,
    fitValues: async () => (await import('./fits/work/insight')).fitValuesInWorker,
  },
};

export const fleet: WorkPart = {
  insight: { fleet: async () => (await import('./fleet/work/insight')).fleet },
};

export const map: WorkPart = {
  insight: { map: async () => (await import('./map/work/insight')).mapOf },
  moves: ['map'],
};

export const reads: WorkPart = {
  insight: { programReads: async () => (await import('./reads/work/insight')).programReads },
};

export const traces: WorkPart = {
  insight: { uses: async () => (await import('./traces/work/insight')).uses },
};

export const whatif: WorkPart = {
  insight: {
    simulate: async () => (await import('./whatif/work/insight')).simulate,
    cost: async () => (await import('./whatif/work/insight')).cost,
  },
};

export const writer: WorkPart = {
  writer: async () => (await import('./writer/work/work')).createWriteWork,
};
