import { batch, type Signal, signal } from '@preact/signals';
import { lookOf, type PlotLook, plainLook } from '../../plot/look/look';
import type { ShownPlot } from '../plot/shown-plot';
import type { DrawSettings, ObjectWay, PlotChoices } from './plot-state';

/** The choices for the shown plot: bins and range, look, and the part of a stored object. */
export interface PlotChoicesState {
  /** Bins and range. `SelectionState.setSettings` changes them, and draws. */
  readonly settings: Signal<DrawSettings>;
  readonly look: Signal<PlotLook>;
  /** How the stored object is shown; undefined for its default. */
  readonly way: Signal<ObjectWay | undefined>;
  /** The layers over the plot and their order, as text: see `PlotChoices`. */
  readonly layers: Signal<string>;
  /** Steps of arithmetic with the histogram, as text: see `PlotChoices`. */
  readonly steps: Signal<string>;
  /** Those of the layers that are kept when another plot is shown. */
  readonly staying: Signal<string>;
  /** The shown part of the stored object: names from list to list; empty for the whole object. */
  readonly part: Signal<string>;
  /** The shown plot, as it is drawn; null when there is none. */
  readonly shown: Signal<ShownPlot | null>;
  /** Increases when another plot is shown. */
  readonly turn: Signal<number>;
  /** Returns the present choices. Subscribes the caller to them. */
  now(): PlotChoices;
  /**
   * Sets these choices. Undefined means another plot: bins, range and way are reset; choices of the look are kept if
   * the table says so (plot/look.ts), and so are layers with the same drawing of other files.
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
  const steps = signal('');
  const staying = signal('');
  const part = signal('');
  const turn = signal(0);
  const take = (plot: PlotChoices | undefined) => {
    turn.value = turn.peek() + 1;
    settings.value = plot?.settings ?? {};
    way.value = plot?.way;
    layers.value = plot?.layers ?? staying.peek();
    steps.value = plot?.steps ?? '';
    const before = look.peek();
    look.value = plot?.look ?? lookOf((name, { stays }) => (stays ? before[name] : undefined));
  };
  return {
    settings,
    look,
    way,
    layers,
    steps,
    staying,
    part,
    shown: signal<ShownPlot | null>(null),
    turn,
    now: () => ({
      settings: settings.value,
      look: look.value,
      way: way.value,
      layers: layers.value,
      steps: steps.value,
    }),
    take,
    choosePart(path) {
      batch(() => {
        part.value = path;
        take(undefined);
      });
    },
  };
}

/** Whether two settings request the same bins and ranges. */
export function sameSettings(one: DrawSettings, other: DrawSettings): boolean {
  const text = ({ bins, yBins, range, yRange }: DrawSettings) => JSON.stringify([bins, yBins, range, yRange]);
  return text(one) === text(other);
}
