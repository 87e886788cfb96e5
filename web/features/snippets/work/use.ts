import type { TreeInfo } from '../../../api/api';
import type { PlotLook } from '../../../plot/look/look';

/** A drawing of one histogram or several over each other, for programs of other tools. */
export interface Use {
  /** The first is that to which the others are compared. */
  layers: readonly [UsedLayer, ...UsedLayer[]];
  /** The axes, x first. */
  axes: readonly UsedAxis[];
  /** How layers are scaled, and what is drawn below them. Default: neither. */
  look?: Pick<PlotLook, 'norm' | 'below'> | undefined;
}

export interface UsedAxis {
  bins: number;
  low: number;
  high: number;
}

/** A layer that is filled from a tree, or a stored object. */
export type UsedLayer = {
  /** Address or path of the file. */
  address: string;
  /** Its name among several layers. Default: the expression with its cut. */
  label?: string | undefined;
} & (
  | {
      tree: TreeInfo;
      /** A branch alone: its names from the tree down joined by "/". Undefined for other expressions. */
      branch?: string | undefined;
      /** Expressions as TTree::Draw takes them, without the histogram; of a branch alone its name. */
      expr: string;
      /** Cut in the language of TTree::Draw; empty for all values. */
      cut: string;
      /** The mean of the last coordinate in bins of the others. */
      profile?: boolean | undefined;
      item?: undefined;
    }
  | { item: string; tree?: undefined }
);

export type FilledUse = UsedLayer & { item?: undefined };

/** A program for a tool, or the reason why there is none. */
export type Snippet = { id: ToolId; tool: string; language: 'python' | 'cpp' | 'js' | 'sh' } & (
  | { text: string; why?: undefined }
  | { text?: undefined; why: string }
);

/** The tools for which there are programs, in the order in which they are shown. */
export const toolIds = ['uproot', 'rdataframe', 'ttree', 'library', 'command'] as const;

export type ToolId = (typeof toolIds)[number];

/** Returns the name of a layer in programs. */
export function nameOfLayer(layer: UsedLayer): string {
  if (layer.label) return layer.label;
  if (layer.tree === undefined) return layer.item;
  return layer.cut.trim() === '' ? layer.expr : `${layer.expr} {${layer.cut.trim()}}`;
}

/** A scale of layers by their contents, or none: maps and profiles keep theirs. */
export function normOf({ look, axes, layers }: Use): PlotLook['norm'] {
  const isCounts = axes.length === 1 && layers.every((one) => !one.tree || !one.profile);
  return layers.length > 1 && isCounts ? (look?.norm ?? 'none') : 'none';
}

export function belowOf({ look, layers }: Use): PlotLook['below'] {
  return layers.length > 1 ? (look?.below ?? 'none') : 'none';
}
