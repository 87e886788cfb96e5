import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Histogram } from '../../../api/api';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import {
  formatLayers,
  isOwn,
  type LayerSpec,
  parseLayers,
  stayingLayers,
  withOwn,
} from '../../../plot/layers/layer-spec';
import { layered } from '../../../plot/layers/layered';
import { lineLook } from '../../../plot/layers/lines';
import type { AnyPlot } from '../../../plot/model';
import { withBins } from '../../../plot/rebin';
import type { DrawnLayer, OwnPlot } from '../../../ui/plot/own-plot';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { withNames } from '../work/histogram-names';
import { layerFiles } from './layer-files';
import { type ReadLayer, readLayers } from './read-layers';

/** A plot with its layers. */
export interface ShownLayers {
  model: AnyPlot;
  /** All layers in order, including the plot itself; only the plot if there is no other. */
  list: readonly LayerSpec[];
  /** The layers as they were read; undefined for one that has not been read yet. */
  rows: readonly (ReadLayer | undefined)[];
  /** Reasons why layers are not drawn, by index in `rows`. */
  refused: ReadonlyMap<number, string>;
  /** Reason why there is no ratio or difference, or the mistake in the text of a link. */
  why: string | undefined;
  /** The bins of the plot itself, as drawn among its layers. */
  own: Histogram | undefined;
  /**
   * The bins of all layers, with their labels as titles and different names; undefined without layers, or if a layer
   * has no bins.
   */
  histograms: readonly Histogram[] | undefined;
  /** The drawings of the layers that are shown; undefined without others. */
  drawn: readonly DrawnLayer[] | undefined;
  /** Whether layers are being read. */
  reading: boolean;
  again(): void;
}

interface Done {
  key: string;
  rows: ReadLayer[];
  error?: ErrorRecord;
}

/**
 * Reads the layers of a plot and adds them to it. The previous layers stay until others have been read, and while
 * `own` is undefined because it is being read.
 */
export function useLayers(store: ViewerStore, shown: AnyPlot, own: OwnPlot | undefined): ShownLayers {
  const text = store.plot.layers.value;
  const { norm, below, rebin } = store.plot.look.value;
  const attempt = useSignal(0);
  const { specs, mistake } = useMemo(() => specsOf(text), [text]);
  const done = useSignal<Done | undefined>(undefined);
  // Order and style of layers do not change what is read.
  const asked = specs.map(idOf).sort().join();
  const key = own && specs.length > 1 ? `${attempt.value} ${asked} ${keyOf(own)}` : undefined;
  useEffect(() => {
    store.plot.staying.value = stayingLayers(specs);
    layerFiles(store).keep(specs.flatMap(({ src }) => src ?? []));
  }, [text]);
  useEffect(() => {
    if (key === undefined || own === undefined || done.peek()?.key === key) return;
    let here = true;
    const tell = (next: Omit<Done, 'key'>) => {
      if (here) done.value = { key, ...next };
    };
    readLayers(store, specs, own).then(
      (rows) => tell({ rows }),
      (thrown: unknown) => tell({ rows: [], error: toXylemError(thrown).toRecord() }),
    );
    return () => {
      here = false;
    };
  }, [key]);
  const last = specs.length > 1 ? done.value : undefined;
  const rows = useMemo(() => rowsOf(specs, last?.rows ?? []), [specs, last]);
  const drawn = useMemo(() => {
    const parts = rows.flatMap((row, i) =>
      row?.part && !row.spec.hidden
        ? [{ i, part: { ...row.part, model: withBins(row.part.model, rebin) } }]
        : [],
    );
    if (parts.length === 0) return undefined;
    const made = layered(
      parts.map(({ part }) => part),
      { norm, below },
    );
    return { ...made, refused: new Map([...made.refused].map(([k, why]) => [parts[k]?.i ?? k, why])) };
  }, [rows, norm, below, rebin]);
  const histograms = useMemo(() => histogramsOf(rows), [rows]);
  const isNow = last?.key === key;
  return {
    model: drawn?.model ?? shown,
    list: specs,
    rows,
    refused: drawn?.refused ?? new Map(),
    why: mistake ?? (isNow ? last?.error?.message : undefined) ?? drawn?.why,
    histograms,
    own: rows.find((row) => row && isOwn(row.spec))?.histogram,
    drawn: useMemo(() => drawnOf(rows), [rows]),
    reading: key !== undefined && !isNow,
    again: () => attempt.value++,
  };
}

/** Returns a text that identifies what a layer reads, independent of its style and name. */
function idOf({ colour: _colour, hidden: _hidden, label: _label, as: _as, ...what }: LayerSpec): string {
  return formatLayers([what]) || '{}';
}

function specsOf(text: string): { specs: LayerSpec[]; mistake?: string } {
  try {
    return { specs: withOwn(text === '' ? [] : parseLayers(text)) };
  } catch (thrown) {
    const { message, fix } = toXylemError(thrown);
    return { specs: [{}], mistake: [message, fix].filter(Boolean).join(' ') };
  }
}

/** Returns the layers that were read, in the present order and style. */
function rowsOf(specs: readonly LayerSpec[], read: readonly ReadLayer[]): (ReadLayer | undefined)[] {
  const found = specs.map((spec) => read.find((one) => idOf(one.spec) === idOf(spec)));
  const first = found[0]?.part?.model;
  const isStack = first?.kind === 'graph' && first.stack !== undefined;
  return specs.map((spec, i) => {
    const row = found[i];
    const isData = isStack && i > 0 && spec.colour === undefined;
    const look = isData ? { ink: 'ink' as const } : lineLook(spec.colour === undefined ? i : spec.colour - 1);
    const label = spec.label || row?.label || '';
    return row && { ...row, spec, label, part: row.part && { ...row.part, label, ...look, as: spec.as } };
  });
}

const numbers = new WeakMap<object, number>();
let count = 0;

/** Returns a number that identifies a plot. */
function keyOf({ model }: OwnPlot): number {
  if (!numbers.has(model)) numbers.set(model, count++);
  return numbers.get(model) ?? 0;
}

function drawnOf(rows: readonly (ReadLayer | undefined)[]): DrawnLayer[] | undefined {
  const drawn = rows.flatMap((row) =>
    row?.drawn && row.part && !row.spec.hidden
      ? [{ ...row.drawn, label: row.label, histogram: row.histogram }]
      : [],
  );
  return drawn.length > 1 ? drawn : undefined;
}

function histogramsOf(rows: readonly (ReadLayer | undefined)[]): Histogram[] | undefined {
  const named = rows.flatMap((row) =>
    row?.histogram ? [{ label: row.label, histogram: row.histogram }] : [],
  );
  return rows.length > 1 && named.length === rows.length ? withNames(named) : undefined;
}
