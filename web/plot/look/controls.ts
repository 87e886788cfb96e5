import { palettes } from '../drawing/colour-scale';
import type { AnyPlot, LogAxes, PlotModel } from '../model';
import {
  belows,
  entryOf,
  type LookEntry,
  type LookName,
  lookNames,
  normalisations,
  type PlotLook,
} from './look';

/** How a choice of a plot's look is made on the page and on the command line. */
interface Controls<V> {
  /** Each is a checkbox beside the plot, and a command in *Find*. */
  switches?: readonly LookSwitch<V>[];
  /** A list of values: beside the plot, or with its layers. */
  list?: LookList<V>;
  /** Options of `xylem draw`, by name. */
  options?: Readonly<Record<string, LookOption>>;
}

export interface LookSwitch<V> {
  /** Whether *More* has to be opened to see it, because few plots need it. */
  rare?: boolean;
  /** The command is `plot.ID`. */
  id: string;
  /** Whether it applies to this plot. */
  has(plot: AnyPlot): boolean;
  label(plot: AnyPlot): string;
  /** Returns the label of the command that turns it on or off. */
  command(on: boolean, plot: AnyPlot): string;
  /** Other words by which the command is found. */
  words?: string;
  isOn(value: V): boolean;
  turned(value: V, on: boolean): V;
}

export interface LookList<V> {
  /** See `LookSwitch.rare`. */
  rare?: boolean;
  label(plot: AnyPlot): string;
  /** Returns the values that this plot can have; none if there is nothing to choose. */
  values(plot: AnyPlot, now: V): readonly V[];
  name(value: V): string;
}

export interface LookOption {
  about: string;
  /** Text value of an option that takes no value. */
  says?: string;
  /** Name of its value in the help, for an option that takes one. */
  value?: string;
  choices?: readonly string[];
  /** Whether it may be repeated. Its texts are lines of the text of the choice. */
  multiple?: true;
}

const isMap = (plot: AnyPlot): boolean => plot.kind === 'map';
/** Whether a colour scale stands beside it, as beside contours and bins of any shape. */
const isColoured = (plot: AnyPlot): boolean => plot.kind === 'graph' && plot.right?.ink === 'ink';
const isStack = (plot: AnyPlot): boolean => plot.kind === 'graph' && plot.stack !== undefined;
const isCounts = (plot: AnyPlot): plot is PlotModel => plot.kind === 'bins' && plot.mark === 'steps';
const scale = (on: boolean): string => (on ? 'Logarithmic' : 'Linear');

const SCALES = { none: 'As counted', area: 'Sum 1', max: 'Largest 1', first: 'Sum of the first' };
const BELOW = { none: 'Nothing', ratio: 'Ratio to the first', difference: 'Difference to the first' };
const PALETTES = {
  ...{ own: 'As the page', diverging: 'Both signs', bird: 'Bird', viridis: 'Viridis' },
  ...{ cividis: 'Cividis', rainbow: 'Rainbow', grey: 'Grey' },
};
const factors = [1, 2, 3, 4, 5, 8, 10, 20, 50];

function logSwitch(axis: 'x' | 'y'): Pick<LookSwitch<LogAxes>, 'id' | 'words' | 'isOn' | 'turned'> {
  return {
    ...{ id: `log-${axis}`, words: 'log scale', isOn: (log) => log[axis] },
    turned: (log, on) => ({ ...log, [axis]: on }),
  };
}

export const LOOK_CONTROLS = {
  log: {
    switches: [
      {
        ...logSwitch('x'),
        has: (plot) => !isMap(plot),
        label: () => 'Log x',
        command: (on) => `${scale(on)} x axis`,
      },
      {
        ...logSwitch('y'),
        has: () => true,
        label: (plot) => (isMap(plot) ? 'Log colours' : 'Log y'),
        command: (on, plot) => `${scale(on)} ${isMap(plot) ? 'colours' : 'y axis'}`,
      },
    ],
    options: { log: { about: 'a logarithmic vertical axis, or colour scale', says: 'y' } },
  },
  errors: {
    switches: [
      {
        id: 'errors',
        has: (plot) => isCounts(plot) && (plot.errors === undefined || plot.hidesErrors === true),
        label: () => 'Errors',
        command: (on) => (on ? 'Error bars' : 'No error bars'),
        isOn: (value) => value,
        turned: (_, on) => on,
      },
    ],
  },
  rebin: {
    list: {
      label: () => 'Rebin',
      values: (plot, now) =>
        isCounts(plot) && plot.xLabels === undefined
          ? factors.filter((one) => one === 1 || one === now || one <= plot.values.length / 2)
          : [],
      name: String,
    },
  },
  how: {},
  norm: {
    list: {
      label: () => 'Scale',
      values: (plot) => (isStack(plot) ? ['none', 'first'] : isCounts(plot) ? normalisations : []),
      name: (value) => SCALES[value],
    },
    options: {
      normalise: {
        value: 'HOW',
        about:
          '"area": contents divided by their sum; "max": by the largest; "first": scaled to the sum of the first layer',
        choices: normalisations,
      },
    },
  },
  below: {
    list: {
      label: (plot) => (isMap(plot) ? 'Instead' : 'Below'),
      values: (plot) => (plot.kind !== 'graph' || isStack(plot) ? belows : []),
      name: (value) => BELOW[value],
    },
    options: {
      ratio: { about: 'the other layers divided by the first, below the plot', says: 'ratio' },
      difference: { about: 'the other layers less the first, below the plot', says: 'difference' },
    },
  },
  palette: {
    list: {
      rare: true,
      label: () => 'Colours',
      values: (plot) => (isMap(plot) || isColoured(plot) ? palettes : []),
      name: (value) => PALETTES[value],
    },
    options: {
      palette: {
        value: 'NAME',
        about:
          'colours of a map: "diverging" around zero, which contents of both signs have anyway, or ROOT\'s "bird", "viridis", "cividis", "rainbow" or "grey"',
        choices: palettes,
      },
    },
  },
  statbox: {
    switches: [
      {
        id: 'statbox',
        rare: true,
        has: (plot) => plot.kind !== 'graph',
        label: () => 'Statistics box',
        command: (on) => (on ? 'Statistics in the plot' : 'No statistics in the plot'),
        words: 'stat box entries mean',
        isOn: (value) => value,
        turned: (_, on) => on,
      },
    ],
    options: { 'stat-box': { about: "statistics in the plot, as ROOT's box", says: '1' } },
  },
  figure: {},
  fit: {},
  notes: {
    options: {
      note: {
        ...{ value: "'X,Y: TEXT'", multiple: true },
        about:
          'a note at a place of the axes, as TLatex; "X,Y>PX,PY: TEXT" has an arrow to the point PX,PY; may be repeated',
      },
    },
  },
} as const satisfies { [Name in LookName]: Controls<PlotLook[Name]> };

export function controlsOf(name: LookName): Controls<unknown> {
  return LOOK_CONTROLS[name];
}

/** The switches of all choices. */
export const lookSwitches = lookNames.flatMap((name) =>
  (controlsOf(name).switches ?? []).map((one): [LookName, LookSwitch<unknown>] => [name, one]),
);

/** Returns the lists of values for the plots given by `of` in the table. */
export function lookLists(of: LookEntry<unknown>['of']): [LookName, LookList<string | number>][] {
  return lookNames.flatMap((name) => {
    const list = controlsOf(name).list as LookList<string | number> | undefined;
    return list !== undefined && entryOf(name).of === of ? [[name, list]] : [];
  });
}

type Table = typeof LOOK_CONTROLS;
type OptionsOf<C> = C extends { options: infer O } ? O : never;
type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (one: infer All) => void
  ? All
  : never;
/** The options of all choices, by name. */
export type LookOptions = Merged<OptionsOf<Table[LookName]>>;
