import type { CorrectionVariable } from '../../../api/corrections';
import { argumentError } from '../../../base/errors';
import { didYouMean, similar } from '../../../base/suggest';
import { type Axis, axisOf, type Flow } from './axis';
import { compileFormula, type FormulaInputs } from './formula';
import type { Frame, Node } from './frame';
import { DISTRIBUTIONS, hashOf } from './hash';
import type { At } from './place';

/** The parts that all nodes of a correction share. */
export interface Scope {
  frame: Frame;
  inputs: readonly CorrectionVariable[];
  /** Formulas that nodes refer to: each makes a node with parameters of its own. */
  formulas: readonly ((parameters: At) => Node)[];
}

/** Compiles a node: a number, or an object with a nodetype. Throws ARGUMENT with the place of a mistake, UNSUPPORTED. */
export function compileNode(at: At, scope: Scope): Node {
  const { value } = at;
  if (typeof value === 'number') return () => value;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw at.is('a number or an object with a "nodetype"');
  const type = at.member('nodetype').text();
  const compile = Object.hasOwn(NODES, type) ? NODES[type] : undefined;
  if (!compile)
    throw at
      .member('nodetype')
      .wrong(`is "${type.slice(0, 60)}"`, didYouMean(similar(type, Object.keys(NODES))));
  return compile(at, scope);
}

const NODES: Readonly<Record<string, (at: At, scope: Scope) => Node>> = {
  binning,
  multibinning,
  category,
  formula: (at, scope) => formulaNode(at, scope, at.optional('parameters')),
  formularef,
  transform,
  hashprng,
};

/** Returns the index of an input. */
function inputOf(at: At, { inputs }: Scope, types: readonly CorrectionVariable['type'][]): number {
  const name = at.text();
  const index = inputs.findIndex((one) => one.name === name);
  const input = inputs[index];
  if (!input)
    throw at.wrong(
      `names the input "${name.slice(0, 60)}", which the correction does not have`,
      didYouMean(
        similar(
          name,
          inputs.map((one) => one.name),
        ),
      ),
    );
  if (!types.includes(input.type))
    throw at.wrong(`names the input "${name}" of type "${input.type}", which cannot be used here`);
  return index;
}

const NUMBERS = ['real', 'int'] as const;

function flowOf(at: At): Flow {
  const { value } = at;
  if (value === 'clamp' || value === 'error' || value === 'wrap') return value;
  if (typeof value === 'string')
    throw at.wrong(`is "${value.slice(0, 60)}"; it can be clamp, error, wrap or a node`);
  return 'content';
}

/** Compiles the contents of bins, and that of the flow, if it has one, after them. Numbers need no call. */
function contentsOf(at: At, flow: Flow, scope: Scope): (bin: number) => number {
  const content = at.member('content');
  const list = content.list();
  const extra = flow === 'content' ? at.member('flow') : undefined;
  if (list.every((one) => typeof one === 'number') && (!extra || typeof extra.value === 'number')) {
    const values = new Float64Array(list.length + 1);
    values.set(list as number[]);
    if (extra) values[list.length] = extra.number();
    return (bin) => values[bin] as number;
  }
  const nodes = content.items().map((one) => compileNode(one, scope));
  if (extra) nodes.push(compileNode(extra, scope));
  return (bin) => (nodes[bin] as Node)();
}

function checkLength(at: At, bins: number): void {
  const { length } = at.member('content').list();
  if (length !== bins)
    throw at.member('content').wrong(`has ${length} values, and the edges have ${bins} bins`);
}

function binning(at: At, scope: Scope): Node {
  const flow = flowOf(at.member('flow'));
  const index = inputOf(at.member('input'), scope, NUMBERS);
  const name = scope.inputs[index]?.name ?? '';
  const { bins, find } = axisOf(at.member('edges'), scope.frame, index, name, flow);
  checkLength(at, bins);
  const content = contentsOf(at, flow, scope);
  return () => content(find());
}

function multibinning(at: At, scope: Scope): Node {
  const flow = flowOf(at.member('flow'));
  const inputs = at.member('inputs').items();
  const edges = at.member('edges').items();
  if (inputs.length === 0) throw at.member('inputs').wrong('is empty');
  if (edges.length !== inputs.length)
    throw at.member('edges').wrong(`has ${edges.length} axes, and there are ${inputs.length} inputs`);
  const axes = edges.map((one, i): Axis => {
    const index = inputOf(inputs[i] as At, scope, NUMBERS);
    return axisOf(one, scope.frame, index, scope.inputs[index]?.name ?? '', flow);
  });
  const bins = axes.reduce((product, axis) => product * axis.bins, 1);
  checkLength(at, bins);
  const content = contentsOf(at, flow, scope);
  const [first, second] = axes as [Axis, Axis | undefined];
  if (axes.length === 2 && second) {
    const { find: findX, bins: binsX } = first;
    const { find: findY, bins: binsY } = second;
    return () => {
      const x = findX();
      if (x === binsX) return content(bins);
      const y = findY();
      return content(y === binsY ? bins : x * binsY + y);
    };
  }
  return () => {
    let cell = 0;
    for (const axis of axes) {
      const bin = axis.find();
      // The value of the flow is after all cells. Axes that follow are not asked, as in correctionlib.
      if (bin === axis.bins) return content(bins);
      cell = cell * axis.bins + bin;
    }
    return content(cell);
  };
}

function category(at: At, scope: Scope): Node {
  const index = inputOf(at.member('input'), scope, ['int', 'string']);
  const { type, name } = scope.inputs[index] as CorrectionVariable;
  const nodes = new Map<string | number, Node>();
  for (const item of at.member('content').items()) {
    const key = item.member('key');
    const known = type === 'int' ? key.whole() : key.text();
    const node = compileNode(item.member('value'), scope);
    // The first of equal keys counts, as in correctionlib.
    if (!nodes.has(known)) nodes.set(known, node);
  }
  const given = at.optional('default');
  const other = given && compileNode(given, scope);
  const { numbers, texts } = scope.frame;
  const missing = (): number => {
    const value =
      type === 'int'
        ? String(scope.frame.large[index] ?? numbers[index])
        : `"${texts[index]?.slice(0, 200)}"`;
    const known = [...nodes.keys()].map(String);
    const near = type === 'int' ? [] : similar(texts[index] ?? '', known);
    throw argumentError(
      `The input "${name}" is ${value}, for which the correction has no category.`,
      didYouMean(near) ?? `It has ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`,
      { path: at.path },
    );
  };
  const rest = other ?? missing;
  if (type === 'int') return () => (nodes.get(numbers[index] as number) ?? rest)();
  return () => (nodes.get(texts[index] as string) ?? rest)();
}

/** Compiles a formula with parameters; they are a list, or missing. */
function formulaNode(at: At, scope: Scope, parameters: At | undefined): Node {
  const parser = at.member('parser').text();
  if (parser !== 'TFormula')
    throw at.member('parser').wrong(`is "${parser.slice(0, 60)}"; correctionlib evaluates only TFormula`);
  const variables = at
    .member('variables')
    .items()
    .map((one) => inputOf(one, scope, ['real']));
  const inputs: FormulaInputs = {
    numbers: scope.frame.numbers,
    variables,
    parameters: Float64Array.from(parameters?.items() ?? [], (one) => one.number()),
  };
  const expression = at.member('expression');
  const text = expression.text();
  return compileFormula(text, inputs, (why, place) => {
    const near =
      place === undefined ? '' : `, at "${text.slice(place, place + 20)}" (character ${place + 1})`;
    throw expression.wrong(`${why}${near}: ${text.length > 100 ? `${text.slice(0, 100)}…` : text}`);
  });
}

/** Returns a function that compiles a formula of "generic_formulas" with the parameters of a reference to it. */
export function genericFormula(at: At, scope: Scope): (parameters: At) => Node {
  return (parameters) => formulaNode(at, scope, parameters);
}

function formularef(at: At, { formulas }: Scope): Node {
  const index = at.member('index').whole();
  const formula = formulas[index];
  if (!formula)
    throw at.member('index').wrong(`is ${index}, and "generic_formulas" has ${formulas.length} formulas`);
  return formula(at.member('parameters'));
}

function transform(at: At, scope: Scope): Node {
  const index = inputOf(at.member('input'), scope, NUMBERS);
  const isWhole = scope.inputs[index]?.type === 'int';
  const name = scope.inputs[index]?.name ?? '';
  const rule = compileNode(at.member('rule'), scope);
  const content = compileNode(at.member('content'), scope);
  const { numbers, large } = scope.frame;
  return () => {
    const [before, exact] = [numbers[index] as number, large[index]];
    const value = rule();
    if (isWhole && !(Math.abs(value) < 2 ** 63))
      throw argumentError(
        `The input "${name}" is changed to ${value}, which is not a whole number.`,
        undefined,
        {
          path: at.path,
        },
      );
    numbers[index] = isWhole ? rounded(value) : value;
    large[index] = undefined;
    const result = content();
    // Nodes beside this one see the input as it was given.
    numbers[index] = before;
    large[index] = exact;
    return result;
  };
}

/** Returns std::round: halves are rounded away from zero. */
function rounded(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

function hashprng(at: At, scope: Scope): Node {
  const indices = at
    .member('inputs')
    .items()
    .map((one) => inputOf(one, scope, NUMBERS));
  if (indices.length === 0) throw at.member('inputs').wrong('is empty');
  const distribution = at.member('distribution');
  const known = distribution.text();
  const draw = Object.hasOwn(DISTRIBUTIONS, known) ? DISTRIBUTIONS[known] : undefined;
  if (!draw)
    throw distribution.wrong(
      `is "${known.slice(0, 60)}"; it can be ${Object.keys(DISTRIBUTIONS).join(', ')}`,
    );
  const areWhole = indices.map((index) => scope.inputs[index]?.type === 'int');
  return hashOf(scope.frame, indices, areWhole, draw);
}
