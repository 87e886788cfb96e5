import { type Signal, signal } from '@preact/signals';
import type { AnyPlot } from '../../plot/model';
import {
  type DrawSettings,
  type ObjectWay,
  type PlotChoices,
  type PlotLook,
  plainBins,
  plainLook,
} from './plot-state';

/** The choices of the plot that is shown: bins and range, look, and which part of a stored object. */
export interface PlotChoicesState {
  readonly settings: Signal<DrawSettings>;
  readonly look: Signal<PlotLook>;
  readonly way: Signal<ObjectWay | undefined>;
  readonly part: Signal<string>;
  readonly shownPlot: Signal<AnyPlot | null>;
  /** Returns the choices as they are now. Subscribes the caller to them. */
  now(): PlotChoices;
  /** Takes these choices. Undefined keeps the bins and the look, and drops the range and the way. */
  take(plot: PlotChoices | undefined): void;
}

export function createPlotChoices(): PlotChoicesState {
  const settings = signal<DrawSettings>({ bins: plainBins, range: undefined });
  const look = signal<PlotLook>(plainLook);
  const way = signal<ObjectWay | undefined>(undefined);
  return {
    settings,
    look,
    way,
    part: signal(''),
    shownPlot: signal<AnyPlot | null>(null),
    now: () => ({ settings: settings.value, look: look.value, way: way.value }),
    take(plot) {
      settings.value = plot?.settings ?? { bins: settings.peek().bins, range: undefined };
      way.value = plot?.way;
      if (plot !== undefined) look.value = plot.look;
    },
  };
}

/** Whether two settings ask for the same bins and ranges. */
export function sameSettings(one: DrawSettings, other: DrawSettings): boolean {
  const same = String(one.range) === String(other.range) && String(one.yRange) === String(other.yRange);
  return same && one.bins === other.bins;
}
