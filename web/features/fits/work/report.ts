import type { FitResult, FittedParameter, TogetherResult } from '../../../api/fit';
import { statNumber } from '../../../plot/model';
import { withError } from '../../../plot/stored/functions';
import { column, type Report, type Table } from '../../../report/report';

const PARAMETERS = [
  column<FittedParameter>('name', 'Parameter', 'text', ({ name }) => name, { whole: true }),
  column<FittedParameter>('value', 'Value', 'number', ({ value }) => value, {
    text: (one) => valueText(one),
  }),
  column<FittedParameter>('error', 'Error', 'number', ({ error }) => error, {
    text: ({ error }) => statNumber(error),
  }),
  column<FittedParameter>('minos', 'MINOS', 'text', ({ minos }) => minos?.high, {
    text: ({ minos }) => minosText(minos),
  }),
  column<FittedParameter>('limits', 'Limits', 'text', ({ low }) => low, { text: limitsText }),
];

/** The value with as many digits as its error justifies. */
export function valueText({ value, error, fixed }: FittedParameter): string {
  if (fixed) return `${statNumber(value)} (fixed)`;
  return withError(value, error);
}

function minosText(minos: FittedParameter['minos']): string {
  if (!minos) return '';
  if (!minos.valid) return 'not found';
  return `+${statNumber(minos.high)} ${statNumber(minos.low)}`;
}

function limitsText({ low, high, fixed }: FittedParameter): string {
  if (fixed || (low === undefined && high === undefined)) return '';
  const end = (value: number | undefined) => (value === undefined ? '' : statNumber(value));
  return `${end(low)} to ${end(high)}`;
}

const METHODS: Readonly<Record<FitResult['method'], string>> = {
  chi2: 'chi-square',
  pearson: 'chi-square with the expected errors (Pearson)',
  likelihood: 'likelihood of counts',
  weighted: 'likelihood of weighted bins',
  unbinned: 'likelihood of values',
};

/** Returns the report of a fit, for terminal and page. */
export function fitReport(result: FitResult | TogetherResult): Report {
  const { parameters, chi2, ndf, probability, status, why, notes, valid } = result;
  const grade = !valid ? 'bad' : status === 0 ? 'good' : 'fair';
  const has = {
    minos: parameters.some(({ minos }) => minos),
    limits: parameters.some(({ low, high, fixed }) => !fixed && (low !== undefined || high !== undefined)),
  };
  const tables: Table<FittedParameter>[] = [
    {
      id: 'parameters',
      columns: PARAMETERS.filter(({ id }) => (id !== 'minos' && id !== 'limits') || has[id]),
      rows: parameters,
    },
  ];
  return {
    title: `Fit of ${result.function}`,
    verdict: { grade, text: why },
    text: [
      `${METHODS[result.method]}, ${statNumber(result.points)} ${pointsOf(result)}, ${placesOf(result)}`,
      `status ${status}, edm ${statNumber(Number(result.edm.toPrecision(3)))}, ${result.calls} calls (${result.minimizer})`,
    ],
    facts: [
      ...(ndf > 0 && Number.isFinite(chi2)
        ? [{ label: 'χ² / ndf', value: `${statNumber(chi2)} / ${ndf}` }]
        : []),
      ...(Number.isFinite(probability) ? [{ label: 'p-value', value: statNumber(probability) }] : []),
    ],
    tables: [...tables, ...partTables(result), ...correlations(result)],
    notes: [...notes, ...contourNotes(result)],
  };
}

const rangeText = ({ range }: FitResult): string =>
  range.map((one) => one.map((end) => statNumber(end)).join(' to ')).join('; ');

const placesOf = (result: FitResult | TogetherResult): string =>
  result.kind === 'fits'
    ? `of ${result.parts.length} data, which share ${result.shared.join(', ')}`
    : rangeText(result);

const contourNotes = ({ contours = [] }: Pick<FitResult, 'contours'>): string[] =>
  contours.flatMap(({ first, second, points }) =>
    points.length > 0 ? [`a contour of ${first} and ${second} was computed: --svg and --json have it`] : [],
  );

const PARTS = [
  column<FitResult>('function', 'Function', 'text', (one) => one.function, { whole: true }),
  column<FitResult>('chi2', 'χ²', 'number', ({ chi2 }) => chi2, { text: ({ chi2 }) => statNumber(chi2) }),
  column<FitResult>('points', 'Points', 'number', ({ points }) => points, {
    text: ({ points }) => statNumber(points),
  }),
  column<FitResult>('range', 'Range', 'text', rangeText),
];

function partTables(result: FitResult | TogetherResult): Table<FitResult>[] {
  return result.kind === 'fits' ? [{ id: 'parts', title: 'Parts', columns: PARTS, rows: result.parts }] : [];
}

const pointsOf = ({ method }: Pick<FitResult, 'method'>): string =>
  method === 'unbinned' ? 'values' : 'points';

interface CorrelationRow {
  name: string;
  values: number[];
}

function correlations({
  parameters,
  correlation,
}: Pick<FitResult, 'parameters' | 'correlation'>): Table<CorrelationRow>[] {
  const free = parameters.flatMap(({ fixed }, i) => (fixed ? [] : [i]));
  if (free.length < 2 || free.length > 10) return [];
  const at = (i: number, j: number) => correlation[i]?.[j] ?? Number.NaN;
  return [
    {
      id: 'correlation',
      title: 'Correlation',
      columns: [
        column<CorrelationRow>('name', 'Parameter', 'text', ({ name }) => name),
        ...free.map((i, k) =>
          column<CorrelationRow>(`c${k}`, parameters[i]?.name ?? '', 'number', ({ values }) => values[k], {
            text: ({ values }) => (values[k] ?? Number.NaN).toFixed(3).replace('-', '−'),
          }),
        ),
      ],
      rows: free.map((i) => ({ name: parameters[i]?.name ?? '', values: free.map((j) => at(i, j)) })),
    },
  ];
}
