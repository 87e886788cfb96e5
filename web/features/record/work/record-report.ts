import { formatCount } from '../../../base/format';
import { column, type Report } from '../../../report/report';
import type { DescribedField, DescribedRecord } from './described';

/** The columns of a field, for all faces. */
export const FIELD_COLUMNS = [
  column<DescribedField>('offset', 'Byte', 'count', ({ offset }) => offset, {
    place: ({ offset, length }) => ({ offset, length }),
  }),
  column<DescribedField>('length', 'Length', 'count', ({ length }) => length),
  column<DescribedField>('field', 'Field', 'text', fieldName, { whole: true }),
  column<DescribedField>('type', 'Type', 'text', ({ type }) => type),
  column<DescribedField>('value', 'Value', 'text', valueText, { whole: true }),
  column<DescribedField>('means', 'Meaning', 'text', ({ means, wrong }) =>
    wrong ? `WRONG: ${wrong}` : means,
  ),
  column<DescribedField>('hex', 'Stored', 'text', ({ hex }) => hex),
];

/** Returns the name of a field, with the number of a part that is repeated. */
export function fieldName({ name, item }: DescribedField): string {
  return item >= 0 ? `${name} [${item}]` : name;
}

export function valueText({ value, type }: DescribedField): string {
  if (value === undefined) return '(cut off)';
  return type === 'TString' ? JSON.stringify(value) : String(value);
}

export function recordReport(found: DescribedRecord, file: string, explained: boolean): Report {
  const { offset, title, fields, wrong, notes, size } = found;
  const groups = [...new Set(fields.map(({ group }) => group))];
  return {
    title: `${file}: ${title}, byte ${formatCount(offset)} of ${formatCount(size)}`,
    verdict: {
      grade: wrong === 0 ? 'good' : 'bad',
      text:
        wrong === 0
          ? 'no field contradicts the file'
          : `${formatCount(wrong)} ${wrong === 1 ? 'field' : 'fields'} cannot be right`,
    },
    tables: groups.map((group) => ({
      id: group.replaceAll(' ', '-'),
      title: `Fields of the ${group}`,
      columns: FIELD_COLUMNS,
      rows: fields.filter((field) => field.group === group),
      ...(explained && { hint: ({ about }: DescribedField) => about || undefined }),
    })),
    notes,
  };
}
