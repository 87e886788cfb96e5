import type { Correction, CorrectionSet, CorrectionVariable } from '../../../api/corrections';

/** An input with the values that the nodes of a correction know. */
export interface DescribedInput extends CorrectionVariable {
  /** Keys of categories; undefined if there are none. */
  values?: (string | number)[] | undefined;
  /** Whether a category has a value for other keys. */
  others?: boolean | undefined;
  /** The lowest and the highest edge of bins; a text for infinities. */
  range?: [number | string, number | string] | undefined;
  /** How values outside of the bins are treated. */
  flow?: string[] | undefined;
}

export interface DescribedCorrection
  extends Pick<Correction, 'name' | 'kind' | 'version' | 'description' | 'output'> {
  inputs: DescribedInput[];
  /** The corrections of a compound, in turn. */
  stack?: string[] | undefined;
}

/** The parts of a node that are described. The document was checked before. */
interface RawNode {
  nodetype?: string;
  input?: string;
  inputs?: string[];
  edges?: unknown;
  flow?: unknown;
  content?: unknown;
  default?: unknown;
  rule?: unknown;
}

interface RawCorrection {
  name: string;
  data?: unknown;
  stack?: string[];
}

interface Known {
  values: Set<string | number>;
  others: boolean;
  low: number;
  high: number;
  flow: Set<string>;
}

/** Describes the corrections of a document that was opened. */
export function describeSet(set: CorrectionSet, document: unknown): DescribedCorrection[] {
  const { corrections = [], compound_corrections } = document as {
    corrections?: RawCorrection[];
    compound_corrections?: RawCorrection[] | null;
  };
  const raw = [...corrections, ...(compound_corrections ?? [])];
  return set.corrections.map(({ name, kind, version, description, inputs, output }, i) => {
    const known = new Map<string, Known>();
    visit(raw[i]?.data, known);
    return {
      ...{ name, kind, version, description, output },
      inputs: inputs.map((one) => describedInput(one, known.get(one.name))),
      ...(kind === 'compound' && { stack: raw[i]?.stack }),
    };
  });
}

function describedInput(input: CorrectionVariable, known: Known | undefined): DescribedInput {
  if (!known) return { ...input };
  const { values, others, low, high, flow } = known;
  const sorted = [...values];
  if (input.type === 'int') sorted.sort((a, b) => Number(a) - Number(b));
  return {
    ...input,
    ...(values.size > 0 && { values: sorted, others }),
    ...(low <= high && {
      range: [shown(low), shown(high)] as [number | string, number | string],
      flow: [...flow],
    }),
  };
}

const shown = (edge: number): number | string => (Number.isFinite(edge) ? edge : edge > 0 ? 'inf' : '-inf');

function visit(value: unknown, known: Map<string, Known>): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as RawNode;
  const of = (name: string | undefined): Known => {
    const found = known.get(name ?? '') ?? {
      ...{ values: new Set<string | number>(), others: false, flow: new Set<string>() },
      ...{ low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
    };
    known.set(name ?? '', found);
    return found;
  };
  const content = Array.isArray(node.content) ? node.content : [];
  if (node.nodetype === 'category') {
    const input = of(node.input);
    if (node.default !== undefined && node.default !== null) input.others = true;
    for (const { key, value: inner } of content as { key: string | number; value: unknown }[]) {
      input.values.add(key);
      visit(inner, known);
    }
    visit(node.default, known);
    return;
  }
  const axes: [string | undefined, unknown][] =
    node.nodetype === 'binning'
      ? [[node.input, node.edges]]
      : node.nodetype === 'multibinning'
        ? (node.inputs ?? []).map((name, i) => [name, (node.edges as unknown[])[i]])
        : [];
  for (const [name, edges] of axes) {
    const input = of(name);
    const ends = Array.isArray(edges)
      ? [edges[0], edges.at(-1)]
      : [(edges as { low: number }).low, (edges as { high: number }).high];
    input.low = Math.min(input.low, edgeOf(ends[0]));
    input.high = Math.max(input.high, edgeOf(ends[1]));
    input.flow.add(typeof node.flow === 'string' ? node.flow : 'content');
  }
  for (const one of content) visit(one, known);
  visit(node.flow, known);
  visit(node.rule, known);
  if (node.nodetype === 'transform') visit(node.content, known);
}

const edgeOf = (edge: unknown): number =>
  typeof edge === 'number'
    ? edge
    : String(edge).startsWith('-')
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY;
