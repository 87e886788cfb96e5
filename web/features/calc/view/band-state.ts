import { type Signal, signal } from '@preact/signals';
import type { Span } from '../../../ui/plot/plot-span';
import type { ViewerStore } from '../../../ui/state/viewer-state';

/** The ranges that lie on the plot while the arithmetic is open. */
export interface PlotBands {
  axis: 'x' | 'y';
  ends: Span;
  step: number;
  /** The range, and that of a background. */
  bands: readonly (Span | undefined)[];
  /** Whether the range is a gate, beside which a projection is shown. */
  isGate: boolean;
  onBand(index: number, span: Span): void;
}

const states = new WeakMap<ViewerStore, Signal<PlotBands | undefined>>();

/** Returns what lies on the plot of a viewer; undefined for nothing. */
export function plotBands(store: ViewerStore): Signal<PlotBands | undefined> {
  const found = states.get(store) ?? signal<PlotBands | undefined>(undefined);
  states.set(store, found);
  return found;
}
