import { type Asks, type Brush, type Condition, elementText, type ValueRange } from '../work/brushes';
import { chipOfText, type ChipSelection as Selection } from '../work/chips';
import type { OpenedBoard } from '../work/insight';

export type { ChipSelection as Selection } from '../work/chips';
export type ChipRange = ValueRange;

/** A brush of a board. */
export interface Chip {
  selects: Selection;
  inverted: boolean;
  off: boolean;
  asks: Asks;
}

/** The choices of a board, as in the address: the state of its view. */
export interface BoardParams {
  /** Expressions of the plots, as TTree::Draw takes them; empty for those of the tree. */
  plots: readonly string[];
  weight: string;
  chips: readonly Chip[];
  /** Whether the vertical axes follow what is selected. */
  follows: boolean;
  /** Functions that are fitted to plots, by the expressions of these. */
  fits: Readonly<Record<string, string>>;
}

/** Parses the state of the view. What is not understood is left out. */
export function parseBoardParams(text: string): BoardParams {
  const query = new URLSearchParams(text);
  const plots = [
    ...query.getAll('plot').filter((plot) => plot.trim() !== ''),
    ...plotsOfText(query.get('plots') ?? ''),
  ];
  const chips = query.getAll('chip').flatMap((chip) => chipFrom(chip) ?? []);
  const fits = Object.fromEntries(
    query.getAll('fit').flatMap((text) => [fitFrom(text)].filter((one) => one !== undefined)),
  );
  return { plots, weight: query.get('weight') ?? '', chips, follows: query.get('scale') === 'follow', fits };
}

/** "Muon_pt@gaus": a plot, and the function that is fitted to it. Only the plot may have "@" itself. */
function fitFrom(text: string): [plot: string, fit: string] | undefined {
  const at = text.lastIndexOf('@');
  const [plot, fit] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return at > 0 && plot !== '' && fit !== '' ? [plot, fit] : undefined;
}

/** Returns the plots of a text with spaces or semicolons between them. */
export const plotsOfText = (text: string): string[] => text.split(/\s{2,}|;/).flatMap(splitWords);

/** Splits a text at spaces that are not in brackets. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let depth = 0;
  let word = '';
  for (const sign of text) {
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
    if (/\s/.test(sign) && depth <= 0) {
      words.push(word);
      word = '';
    } else word += sign;
  }
  return [...words, word].filter((one) => one !== '');
}

/** Returns the text that `parseBoardParams` reads. */
export function formatBoardParams({ plots, weight, chips, follows, fits }: BoardParams): string {
  const query = new URLSearchParams();
  for (const plot of plots) query.append('plot', plot);
  if (weight !== '') query.set('weight', weight);
  if (follows) query.set('scale', 'follow');
  for (const chip of chips) query.append('chip', chipText(chip));
  for (const [plot, fit] of Object.entries(fits)) if (fit !== '') query.append('fit', `${plot}@${fit}`);
  return query.toString();
}

/** "not,least2:Muon_pt>=20 && Muon_pt<50": words, and the cut of an element. The word "text" keeps it as it was written. */
function chipText({ selects, inverted, off, asks }: Chip): string {
  const words = [
    ...(selects.kind === 'text' ? ['text'] : []),
    ...(inverted ? ['not'] : []),
    ...(off ? ['off'] : []),
    ...(asks === 'all' ? ['all'] : asks.least > 1 ? [`least${asks.least}`] : []),
  ];
  return `${words.join(',')}:${selectionText(selects)}`;
}

/** Returns the text of a selection, as a cut of an element. */
export function selectionText(selects: Selection): string {
  if (selects.kind === 'text') return selects.text;
  const conditions =
    selects.kind === 'labels'
      ? [{ column: 0, labels: selects.labels }]
      : selects.ranges.map((range, column) => ({ column, ...range }));
  return elementText({ name: '', conditions }, selects.exprs);
}

function chipFrom(text: string): Chip | undefined {
  const match = /^((?:text|not|off|all|least\d{1,4}|,)*):(.*)$/s.exec(text);
  const found = match && chipOfText(match[2] ?? '');
  if (!found) return undefined;
  const words = (match[1] ?? '').split(',');
  const selects: Selection = words.includes('text') ? { kind: 'text', text: match[2] ?? '' } : found;
  const least = Number(/least(\d+)/.exec(match[1] ?? '')?.[1] ?? 1);
  return {
    selects,
    inverted: words.includes('not'),
    off: words.includes('off'),
    asks: words.includes('all') ? 'all' : { least: Math.max(1, least) },
  };
}

/** The expressions that a chip needs. A cut as it was written is an expression. */
export const exprsOfChip = ({ selects }: Chip): readonly string[] =>
  selects.kind === 'text' ? [selects.text] : selects.exprs;

/** Returns the plot on which a chip is; -1 for none. Of several chips of a plot the first is on it. */
export function plotOfChip({ selects }: Chip, { plots, columns }: OpenedBoard): number {
  if (selects.kind === 'text') return -1;
  const { exprs } = selects;
  return plots.findIndex(
    (plot) =>
      plot.columns.length === exprs.length &&
      plot.columns.every((column, axis) => columns[column]?.expr === exprs[axis]),
  );
}

/** Returns the plot of each chip, of which each plot has one at most; -1 for chips without a plot. */
export function plotsOfChips(chips: readonly Chip[], board: OpenedBoard): number[] {
  const taken = new Set<number>();
  return chips.map((chip) => {
    const plot = plotOfChip(chip, board);
    if (plot < 0 || taken.has(plot)) return -1;
    taken.add(plot);
    return plot;
  });
}

/** Returns the brushes of the engine, in the same order. All expressions have to be on the board. */
export function brushesOf(chips: readonly Chip[], board: OpenedBoard): Brush[] {
  const on = plotsOfChips(chips, board);
  return chips.map(({ selects, ...choices }, i): Brush => {
    const plot = on[i] ?? -1;
    const column = (expr: string) => board.columns.findIndex((one) => one.expr === expr);
    const conditions = ((): Condition[] => {
      if (selects.kind === 'text') return [{ column: column(selects.text), holds: true }];
      if (selects.kind === 'labels') return [{ column: column(selects.exprs[0]), labels: selects.labels }];
      return selects.ranges.map((range, axis) => ({ column: column(selects.exprs[axis] ?? ''), ...range }));
    })();
    return { name: nameOfChip(selects), plot: plot < 0 ? undefined : plot, conditions, ...choices };
  });
}

/** The name of a chip: its plot as TTree::Draw takes it, or the text of the cut. */
export const nameOfChip = (selects: Selection): string =>
  selects.kind === 'text' ? selects.text : [...selects.exprs].reverse().join(':');

/** A chip of what was just selected. */
export const newChip = (selects: Selection): Chip => ({
  selects,
  inverted: false,
  off: false,
  asks: { least: 1 },
});
