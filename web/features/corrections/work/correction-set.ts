import type {
  Correction,
  CorrectionInput,
  CorrectionInputs,
  CorrectionSet,
  CorrectionVariable,
} from '../../../api/corrections';
import { unsupported } from '../../../base/data-errors';
import { notFound } from '../../../base/suggest';
import { type Compiled, evaluate } from './evaluate';
import { frameOf, type Node } from './frame';
import { compileNode, genericFormula, type Scope } from './nodes';
import { parseJson } from './parse-json';
import { At } from './place';

/** The version of the format that is read. */
const VERSION = 2;

/** Returns the corrections of a text of JSON. `name` is that of the file. Throws ARGUMENT with the place of a mistake, UNSUPPORTED. */
export function correctionSetOf(text: string, name: string): CorrectionSet {
  const shown = `The file of corrections "${name}"`;
  return setOf(new At(parseJson(text, shown), shown));
}

function setOf(at: At): CorrectionSet {
  const version = at.member('schema_version').whole();
  if (version !== VERSION)
    throw unsupported(
      `The corrections have schema version ${version}; version ${VERSION} can be read.`,
      version < VERSION
        ? 'Convert them: "correction convert" of an older correctionlib, or ask who made them.'
        : undefined,
      { path: 'schema_version' },
    );
  const plain = new Map<string, Compiled & Described>();
  for (const one of at.member('corrections').items()) {
    const made = correctionOf(one);
    if (plain.has(made.name))
      throw one.member('name').wrong(`is "${made.name}", as that of another correction`);
    plain.set(made.name, made);
  }
  const compounds = new Map<string, Compiled & Described>();
  for (const one of at.optional('compound_corrections')?.items() ?? []) {
    const made = compoundOf(one, plain);
    if (compounds.has(made.name))
      throw one.member('name').wrong(`is "${made.name}", as that of another compound correction`);
    compounds.set(made.name, made);
  }
  const corrections = [...plain.values(), ...compounds.values()].map(shownOf);
  const byName = new Map(corrections.map((one) => [`${one.kind} ${one.name}`, one]));
  return {
    description: at.optional('description')?.text() ?? '',
    corrections,
    get(name) {
      const found = byName.get(`correction ${name}`) ?? byName.get(`compound ${name}`);
      if (!found) throw notFound('correction', String(name), [...plain.keys(), ...compounds.keys()]);
      return found;
    },
    compound(name) {
      const found = byName.get(`compound ${name}`);
      if (!found) throw notFound('compound correction', String(name), [...compounds.keys()]);
      return found;
    },
    has: (name) => plain.has(name) || compounds.has(name),
  };
}

interface Described {
  kind: Correction['kind'];
  description: string;
  version: number | undefined;
  output: CorrectionVariable;
}

function shownOf(made: Compiled & Described): Correction {
  const { name, kind, description, version, inputs, output } = made;
  const call = (...given: readonly (CorrectionInput | CorrectionInputs)[]) => evaluate(made, given);
  return Object.freeze({
    ...{ name, kind, description, version, inputs, output },
    evaluate: call as Correction['evaluate'],
  });
}

const TYPES = ['string', 'int', 'real'] as const;

function variableOf(at: At): CorrectionVariable {
  const type = at.member('type');
  const known = TYPES.find((one) => one === type.value);
  if (!known) throw type.is('one of "string", "int" and "real"');
  return Object.freeze({
    name: at.member('name').text(),
    type: known,
    description: at.optional('description')?.text() ?? '',
  });
}

function outputOf(at: At): CorrectionVariable {
  const output = variableOf(at.member('output'));
  if (output.type !== 'real')
    throw at.member('output').wrong(`has the type "${output.type}"; outputs are "real"`);
  return output;
}

function inputsOf(at: At): CorrectionVariable[] {
  return at.member('inputs').items().map(variableOf);
}

function correctionOf(at: At): Compiled & Described {
  const inputs = inputsOf(at);
  const frame = frameOf(inputs.length);
  const formulas: Scope['formulas'][number][] = [];
  const scope: Scope = { frame, inputs, formulas };
  for (const one of at.optional('generic_formulas')?.items() ?? []) formulas.push(genericFormula(one, scope));
  return {
    ...{ name: at.member('name').text(), kind: 'correction', inputs, frame },
    description: at.optional('description')?.text() ?? '',
    version: at.member('version').whole(),
    output: outputOf(at),
    node: compileNode(at.member('data'), scope),
  };
}

/** Operations of compounds on inputs and results. */
const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  last: (_a, b) => b,
};

function operationOf(at: At, allowed: readonly string[]): (a: number, b: number) => number {
  const name = at.text();
  const found = allowed.includes(name) ? OPERATIONS[name] : undefined;
  if (!found) throw at.wrong(`is "${name.slice(0, 60)}"; it can be ${allowed.join(', ')}`);
  return found;
}

function compoundOf(at: At, plain: ReadonlyMap<string, Compiled>): Compiled & Described {
  const inputs = inputsOf(at);
  const frame = frameOf(inputs.length);
  const indexOf = (name: string): number => inputs.findIndex((one) => one.name === name);
  const updated = at
    .member('inputs_update')
    .items()
    .map((one) => {
      const index = indexOf(one.text());
      if (inputs[index]?.type !== 'real')
        throw one.wrong(`names "${one.text().slice(0, 60)}", which is not an input of the type "real"`);
      return index;
    });
  const inputOperation = operationOf(at.member('input_op'), ['+', '*', '/']);
  const outputOperation = operationOf(at.member('output_op'), ['+', '*', '/', 'last']);
  const stack = at
    .member('stack')
    .items()
    .map((one): Node => {
      const part = plain.get(one.text());
      // A compound cannot be a part of another one, so that there are no circles.
      if (!part)
        throw one.wrong(`names "${one.text().slice(0, 60)}", which is not a correction of this file`);
      const from = part.inputs.map(({ name, type }) => {
        const index = indexOf(name);
        if (inputs[index]?.type !== type)
          throw one.wrong(
            `names "${part.name}", whose input "${name}" of type "${type}" the compound does not have`,
          );
        return index;
      });
      const to = part.frame;
      return () => {
        for (let i = 0; i < from.length; i++) {
          const index = from[i] as number;
          to.numbers[i] = frame.numbers[index] as number;
          to.texts[i] = frame.texts[index] as string;
          to.large[i] = frame.large[index];
        }
        return part.node();
      };
    });
  return {
    ...{ name: at.member('name').text(), kind: 'compound', inputs, frame },
    description: at.optional('description')?.text() ?? '',
    version: undefined,
    output: outputOf(at),
    node() {
      let result = 0;
      for (let n = 0; n < stack.length; n++) {
        const factor = (stack[n] as Node)();
        for (const index of updated)
          frame.numbers[index] = inputOperation(frame.numbers[index] as number, factor);
        result = n === 0 ? factor : outputOperation(result, factor);
      }
      return result;
    },
  };
}
