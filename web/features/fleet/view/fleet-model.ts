import { type Signal, signal } from '@preact/signals';
import type { TreeInfo } from '../../../api/api';
import { isTree } from '../../../model/keys';
import { FILE_NODE, keyNode } from '../../../ui/state/contents-model';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';

/** Maximum size of a model file. */
const MAX_MODEL = 10_000_000;
/** Number of branches that the first use of a sample reads. */
const FEW = 4;

/**
 * Returns a sample model of jobs that read files like the open one: two sites, of which one is far away and has a
 * cache of blocks.
 */
export function sampleModel(file: string, { path, branches, entries }: TreeInfo): string {
  const readable = branches.filter(({ kind, storedBytes }) => kind !== 'group' && storedBytes > 0);
  const step = Math.max(1, Math.floor(readable.length / FEW));
  const few = readable.filter((_, i) => i % step === 0).slice(0, FEW);
  // A job computes for about ten seconds, for any file.
  const cpuMsPerEntry = Number((10_000 / Math.max(1, entries)).toPrecision(2));
  const model = {
    seed: 1,
    origin: { mbitPerS: 10_000, disk: { seekMs: 4, mbPerS: 1000 } },
    sites: [
      { name: 'near', slots: 100, link: { latencyMs: 5, mbitPerS: 10_000 } },
      {
        name: 'far',
        slots: 100,
        link: { latencyMs: 120, mbitPerS: 1000 },
        cache: { kind: 'blocks', bytes: 1e12, blockBytes: 131_072 },
      },
    ],
    datasets: [{ name: 'files', file, tree: path, files: 200 }],
    uses: [
      { name: 'few branches', dataset: 'files', branches: few.map((branch) => branch.path), cpuMsPerEntry },
      { name: 'all branches', dataset: 'files', cpuMsPerEntry, share: 0.2 },
    ],
    jobs: { count: 1000, zipf: 0.8 },
  };
  // Small objects are written in one line.
  return JSON.stringify(model, null, 2)
    .replace(/\{[^{}]*\}/g, inOneLine)
    .replace(/\[[^[\]{}]*\]/g, inOneLine);
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

const models = new WeakMap<OpenFile, Signal<string | undefined>>();

/** Returns the text of the model that is shown with a file, as edited or dropped; undefined before that. */
export function fleetModelOf(open: OpenFile): Signal<string | undefined> {
  const model = models.get(open) ?? signal<string | undefined>(undefined);
  models.set(open, model);
  return model;
}

/** Shows a dropped model of jobs and sites. Returns whether the file is one. */
export async function modelShown(store: ViewerStore, file: File): Promise<boolean> {
  const open = store.session.file.peek();
  if (open === null || file.size > MAX_MODEL) return false;
  const text = await file.text();
  if (!isModel(text) || store.session.file.peek() !== open) return false;
  fleetModelOf(open).value = text;
  const tree = open.keyTree.keys.findIndex(isTree);
  store.selection.select(tree >= 0 ? keyNode(tree) : FILE_NODE);
  store.selection.setView('fleet', '');
  return true;
}

function isModel(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' && value !== null && 'sites' in value && 'jobs' in value && 'uses' in value
    );
  } catch {
    return false;
  }
}
