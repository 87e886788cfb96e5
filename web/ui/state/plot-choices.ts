import { type Signal, signal } from '@preact/signals';
import type { ShownPlot } from '../plot/shown-plot';
import { type DrawSettings, type ObjectWay, type PlotChoices, type PlotLook, plainLook } from './plot-state';

/** The choices of the plot that is shown: bins and range, look, and which part of a stored object. */
export interface PlotChoicesState {
  readonly settings: Signal<DrawSettings>;
  readonly look: Signal<PlotLook>;
  readonly way: Signal<ObjectWay | undefined>;
  readonly part: Signal<string>;
  readonly shownPlot: Signal<ShownPlot | null>;
  /** Returns the choices as they are now. Subscribes the caller to them. */
  now(): PlotChoices;
  /**
   * Takes these choices. Undefined is for another plot: bins, range, logarithmic axes and the way belong to the plot
   * before, and error bars and the scale of comparisons stay.
   */
  take(plot: PlotChoices | undefined): void;
}

export function createPlotChoices(): PlotChoicesState {
  const settings = signal<DrawSettings>({});
  const look = signal<PlotLook>(plainLook);
  const way = signal<ObjectWay | undefined>(undefined);
  return {
    settings,
    look,
    way,
    part: signal(''),
    shownPlot: signal<ShownPlot | null>(null),
    now: () => ({ settings: settings.value, look: look.value, way: way.value }),
    take(plot) {
      settings.value = plot?.settings ?? {};
      way.value = plot?.way;
      const { log, rebin } = plainLook;
      look.value = plot?.look ?? { ...look.peek(), log, rebin };
    },
  };
}

/** Whether two settings ask for the same bins and ranges. */
export function sameSettings(one: DrawSettings, other: DrawSettings): boolean {
  const text = ({ bins, yBins, range, yRange }: DrawSettings) => JSON.stringify([bins, yBins, range, yRange]);
  return text(one) === text(other);
}
