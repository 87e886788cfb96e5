import { formatCount } from '../../../base/format';
import type { GraphModel } from '../../../plot/model';
import { column, type Report } from '../../../report/report';
import type { Evaluated } from './ask';
import type { DescribedCorrection, DescribedInput } from './describe';

/** The result of the command: the corrections of a file, or one that was evaluated. */
export interface CorrectionsFound {
  file: string;
  description: string;
  corrections?: DescribedCorrection[] | undefined;
  evaluated?: Evaluated | undefined;
}

const COLUMNS = [
  column<DescribedCorrection>('name', 'Correction', 'text', ({ name }) => name, { whole: true }),
  column<DescribedCorrection>('version', 'Version', 'count', ({ version }) => version),
  column<DescribedCorrection>('inputs', 'Inputs', 'text', ({ inputs }) =>
    inputs.map(({ name, type }) => `${name} (${type})`).join(', '),
  ),
  column<DescribedCorrection>('description', 'Description', 'text', ({ description, stack }) =>
    stack ? [description, `${stack.join(', then ')}`].filter((one) => one !== '').join(': ') : description,
  ),
];

const INPUTS = [
  column<DescribedInput>('name', 'Input', 'text', ({ name }) => name, { whole: true }),
  column<DescribedInput>('type', 'Type', 'text', ({ type }) => type),
  column<DescribedInput>('values', 'Values', 'text', valuesText),
  column<DescribedInput>('description', 'Description', 'text', ({ description }) => description),
];

/** How many values of an input are listed. */
const LISTED = 30;

function valuesText({ values, others, range, flow }: DescribedInput): string {
  const parts: string[] = [];
  if (values) {
    const more = values.length > LISTED ? `, … (${formatCount(values.length)})` : '';
    parts.push(`${values.slice(0, LISTED).join(', ')}${more}${others ? ', others' : ''}`);
  }
  if (range)
    parts.push(
      `${range[0]} to ${range[1]}, outside: ${(flow ?? []).map((one) => FLOWS[one] ?? one).join(' or ')}`,
    );
  return parts.join('; ');
}

const FLOWS: Readonly<Record<string, string>> = {
  clamp: 'the nearest bin',
  error: 'an error',
  wrap: 'periodic',
  content: 'a value of its own',
};

const POINTS = (by: string) => [
  column<Point>('at', by, 'text', ({ at }) => String(at)),
  column<Point>('value', 'Correction', 'text', ({ value }) =>
    value === undefined ? undefined : String(value),
  ),
  column<Point>('error', 'Error', 'text', ({ error }) => error),
];

type Point = NonNullable<Evaluated['points']>[number];

/** How many points of a range a terminal shows. */
const SHOWN = 50;

export function correctionsReport({ file, description, corrections, evaluated }: CorrectionsFound): Report {
  if (evaluated) {
    const { name, inputs, value, by = '', points } = evaluated;
    const facts = Object.entries(inputs).map(([label, one]) => ({ label, value: String(one) }));
    if (!points) return { title: `${name} = ${value}`, facts };
    return {
      title: `${name} for ${formatCount(points.length)} values of ${by}`,
      facts,
      tables: [{ id: 'points', columns: POINTS(by), rows: points, limit: SHOWN }],
    };
  }
  const all = corrections ?? [];
  const [only] = all;
  if (all.length === 1 && only) {
    return {
      title: `${file}: ${only.name}${only.version === undefined ? '' : `, version ${only.version}`}`,
      ...((only.description || only.stack) && {
        text: [only.description, only.stack ? `Applies ${only.stack.join(', then ')}.` : ''].filter(
          (one) => one !== '',
        ),
      }),
      facts: [
        {
          label: 'output',
          value: [only.output.name, only.output.description].filter((one) => one !== '').join(': '),
        },
      ],
      tables: [{ id: 'inputs', columns: INPUTS, rows: only.inputs }],
    };
  }
  return {
    title: `${file}: ${formatCount(all.length)} correction${all.length === 1 ? '' : 's'}`,
    ...(description !== '' && { text: [description] }),
    tables: [{ id: 'corrections', columns: COLUMNS, rows: all }],
  };
}

/** Returns the plot of a correction against the input that varies; undefined if none does, or if it is a text. */
export function correctionPlot({ evaluated }: CorrectionsFound): GraphModel | undefined {
  const { name = '', inputs = {}, by = '', points, isRange } = evaluated ?? {};
  const known = points?.filter(({ at }) => Number.isFinite(Number(at))) ?? [];
  if (known.length === 0) return undefined;
  const fixed = Object.entries(inputs).map(([input, value]) => `${input} = ${value}`);
  return {
    ...{ kind: 'graph', title: [name, ...fixed].join(', '), xTitle: by, yTitle: 'Correction', stats: [] },
    x: Float64Array.from(known, ({ at }) => Number(at)),
    y: Float64Array.from(known, ({ value }) => value ?? Number.NaN),
    ...{ joined: isRange === true, dots: isRange !== true },
  };
}
