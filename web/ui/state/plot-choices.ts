import { batch, type Signal, signal } from '@preact/signals';
import { lookOf, type PlotLook, plainLook } from '../../plot/look/look';
import type { ShownPlot } from '../plot/shown-plot';
import type { DrawSettings, ObjectWay, PlotChoices } from './plot-state';

/** The choices of the plot that is shown: bins and range, look, and which part of a stored object. */
export interface PlotChoicesState {
  /** Bins and range; they are changed by `SelectionState.setSettings`, which draws. */
  readonly settings: Signal<DrawSettings>;
  readonly look: Signal<PlotLook>;
  /** Way in which the stored object is shown; undefined for its default. */
  readonly way: Signal<ObjectWay | undefined>;
  /** The layers over the plot and their order, as text: see `PlotChoices`. */
  readonly layers: Signal<string>;
  /** Those of the layers that go on when another plot is shown. */
  readonly staying: Signal<string>;
  /** The shown part of the stored object: names from list to list; empty for all of it. */
  readonly part: Signal<string>;
  /** The shown plot, as it is drawn; null when there is none. */
  readonly shown: Signal<ShownPlot | null>;
  /** Returns the choices as they are now. Subscribes the caller to them. */
  now(): PlotChoices;
  /**
   * Takes these choices. Undefined is for another plot: bins, range and the way belong to the plot before; choices of how
   * it looks stay if the table says so (plot/look.ts), and so do layers of the same in other files.
   */
  take(plot: PlotChoices | undefined): void;
  /** Shows a part of the stored object. */
  choosePart(path: string): void;
}

export function createPlotChoices(): PlotChoicesState {
  const settings = signal<DrawSettings>({});
  const look = signal<PlotLook>(plainLook);
  const way = signal<ObjectWay | undefined>(undefined);
  const layers = signal('');
  const staying = signal('');
  const part = signal('');
  const take = (plot: PlotChoices | undefined) => {
    settings.value = plot?.settings ?? {};
    way.value = plot?.way;
    layers.value = plot?.layers ?? staying.peek();
    const before = look.peek();
    look.value = plot?.look ?? lookOf((name, { stays }) => (stays ? before[name] : undefined));
  };
  return {
    settings,
    look,
    way,
    layers,
    staying,
    part,
    shown: signal<ShownPlot | null>(null),
    now: () => ({ settings: settings.value, look: look.value, way: way.value, layers: layers.value }),
    take,
    choosePart(path) {
      batch(() => {
        part.value = path;
        take(undefined);
      });
    },
  };
}

/** Whether two settings ask for the same bins and ranges. */
export function sameSettings(one: DrawSettings, other: DrawSettings): boolean {
  const text = ({ bins, yBins, range, yRange }: DrawSettings) => JSON.stringify([bins, yBins, range, yRange]);
  return text(one) === text(other);
}
