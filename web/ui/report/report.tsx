import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatCount } from '../../base/format';
import {
  type Column,
  type Fact,
  type Lines,
  type Place,
  placeText,
  type Report,
  type Table,
} from '../../report/report';
import { ascends, barsOf, cellText, isNumeric, sortedRows, valueText } from '../../report/rows';
import { termOf } from '../../report/terms';
import { saveText } from '../save/save-blob';
import { CopyButton } from '../widgets/copy-button';
import { Facts, Notes } from '../widgets/definition-list';
import { shortPath } from '../widgets/name-text';
import { MoreRows } from '../widgets/table-parts';
import type { Terms } from '../widgets/term';

/** Number of rows that are shown at first. */
const FIRST_ROWS = 100;

interface ReportProps {
  report: Report;
  terms?: Terms | undefined;
  /** Called to show the place of a row: bytes of the file, or a branch. */
  onPlace?: ((place: Place) => void) | undefined;
}

/** The whole report. */
export function ReportView(props: ReportProps): JSX.Element {
  const { parts = [], commands = [], notes = [] } = props.report;
  return (
    <>
      <ReportHead {...props} />
      <Notes notes={notes} />
      <Tables {...props} />
      {parts.map((part, i) => (
        <Part {...props} key={`${part.title} ${i}`} report={part} />
      ))}
      {commands.map((one) => (
        <Commands key={one.lines.join()} {...one} />
      ))}
    </>
  );
}

/** A part of a report with its grade and title. `children` are below it. */
export function Part({ children, ...props }: ReportProps & { children?: ComponentChildren }): JSX.Element {
  const { report, onPlace } = props;
  const { title, verdict, place, ...rest } = report;
  const where = place && placeText(place);
  return (
    <section class={`finding ${verdict?.grade ?? ''}`}>
      <h3>
        {verdict && <span class={`grade ${verdict.grade}`}>{capital(verdict.grade)}</span>} {title}
      </h3>
      {verdict?.text !== undefined && <p class="hint">{verdict.text}</p>}
      {place && where !== undefined && (
        <p>
          {onPlace && (
            <button type="button" onClick={() => onPlace(place)}>
              Show on the map
            </button>
          )}{' '}
          <span class="hint">{where}</span>
        </p>
      )}
      <ReportView {...props} report={{ title, ...rest }} />
      {children}
    </section>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The tables of a report. Each keeps its sort order itself. */
export function Tables({ report: { tables = [] }, onPlace }: ReportProps): JSX.Element {
  return (
    <>
      {tables.map((table) => {
        const Shown = table.folded ? FoldedTable : OwnTable;
        return <Shown key={table.id} table={table} onPlace={onPlace} />;
      })}
    </>
  );
}

/** A folded table below its title. Its rows are created when it is opened. */
function FoldedTable({ table, onPlace }: Pick<TableProps<unknown>, 'table' | 'onPlace'>): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{table.title}</summary>
      {isOpen && <OwnTable table={{ ...table, title: undefined }} onPlace={onPlace} />}
    </details>
  );
}

/** Verdict, paragraphs and facts. */
export function ReportHead({ report, terms }: Omit<ReportProps, 'onPlace'>): JSX.Element {
  const { verdict, text = [], facts = [] } = report;
  return (
    <>
      {verdict && <p class={`verdict ${verdict.grade}`}>{verdict.text ?? verdict.grade}</p>}
      {facts.length > 0 && <Facts class="big" facts={facts.map(textOf)} {...(terms && { terms })} />}
      {text.map((one) => (
        <p class="summary" key={one}>
          {one}
        </p>
      ))}
    </>
  );
}

const textOf = ({ label, value, unit }: Fact): [string, string] => [label, valueText(value, unit)];

interface TableProps<Row> {
  table: Table<Row>;
  /**
   * Id of the column by which rows are sorted; a minus before it reverses the order. Default: the order of the table.
   */
  sort?: string | undefined;
  onSort(sort: string): void;
  onPlace?: ((place: Place) => void) | undefined;
  /** Number of rows that are shown at first. */
  first?: number;
}

/** A table that keeps its sort order itself. */
export function OwnTable<Row>(props: Omit<TableProps<Row>, 'sort' | 'onSort'>): JSX.Element | null {
  const [sort, setSort] = useState<string | undefined>(undefined);
  return <ReportTable {...props} sort={sort} onSort={setSort} />;
}

/** A table that is sorted by clicking on a column head. */
export function ReportTable<Row>(props: TableProps<Row>): JSX.Element | null {
  const { table, sort, onSort, onPlace, first: firstRows = FIRST_ROWS } = props;
  const { title, columns, hint } = table;
  const known = columns.some(({ id }) => id === sort?.replace('-', ''));
  const by = known ? sort?.replace('-', '') : table.by;
  const reversed = known && sort?.startsWith('-') === true;
  const [limit, setLimit] = useState(firstRows);
  const rows = useMemo(() => sortedRows(table, by, reversed), [table, by, reversed]);
  const [first, ...others] = columns;
  const last = others.at(-1);
  const barred = columns.find(({ bar }) => bar);
  const barOf = barred && barsOf(barred, rows);
  if (first === undefined) return null;
  return (
    <>
      {title !== undefined && <h3>{title}</h3>}
      <div class="table-box report-table frequencies">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head
                  key={column.id}
                  column={column}
                  chosen={column.id === by}
                  reversed={reversed}
                  onSort={onSort}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, limit).map((row, i) => (
              <tr key={i}>
                <th scope="row" class="value">
                  {barOf && <span class="bar" style={{ width: `${100 * barOf(row)}%` }} />}
                  <Cell column={first} row={row} onPlace={onPlace} />
                </th>
                {others.map((column) => (
                  <td key={column.id} class={cellClass(column, row)}>
                    <Cell column={column} row={row} onPlace={onPlace} />
                    {column === last && hint?.(row) && <div class="hint">{hint(row)}</div>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreRows left={rows.length - limit} onMore={() => setLimit(limit * 4)} />
    </>
  );
}

/** Maximum number of characters of a text that is not wrapped. */
const LINE = 40;

function cellClass<Row>({ unit, value }: Column<Row>, row: Row): string | undefined {
  if (isNumeric(unit)) return 'number';
  return valueText(value(row), unit).length > LINE ? 'words' : undefined;
}

interface HeadProps<Row> {
  column: Column<Row>;
  chosen: boolean;
  reversed: boolean;
  onSort(sort: string): void;
}

function Head<Row>({ column, chosen, reversed, onSort }: HeadProps<Row>): JSX.Element {
  const { id, title, unit, about = termOf(title) } = column;
  const up = ascends(unit) !== reversed;
  return (
    <th
      scope="col"
      class={isNumeric(unit) ? 'number' : undefined}
      aria-sort={chosen ? (up ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        class="sort"
        title={about}
        onClick={() => onSort(chosen && !reversed ? `-${id}` : id)}
      >
        {title}
        <span aria-hidden="true">{chosen ? (up ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </th>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  onPlace: ((place: Place) => void) | undefined;
}

function Cell<Row>({ column, row, onPlace }: CellProps<Row>): JSX.Element {
  const { unit, place } = column;
  const text = cellText(column, row);
  const where = place?.(row);
  if (where === undefined || onPlace === undefined)
    return unit === 'grade' ? (
      <span class={`grade ${text.toLowerCase()}`}>{text}</span>
    ) : (
      <span class="bar-text">{text}</span>
    );
  return (
    <button type="button" class="bar-text link" title={text} onClick={() => onPlace(where)}>
      {shortPath(text)}
    </button>
  );
}

/** Commands that a user copies or saves. */
export function Commands({ title, lines, file, note }: Lines): JSX.Element {
  const text = lines.join('\n');
  return (
    <section class="finding">
      <h3>{title}</h3>
      {note !== undefined && <p>{note}</p>}
      {lines.length > 0 && (
        <>
          <p>
            <CopyButton label="Copy" text={() => text} />
            {file !== undefined && (
              <button type="button" class="quiet" onClick={() => saveText(file, text, 'text/plain')}>
                Save {file}
              </button>
            )}
          </p>
          <details open={lines.length < 10}>
            <summary>{lines.length === 1 ? 'The line' : `The ${formatCount(lines.length)} lines`}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre class="lines" tabIndex={0}>
              {text}
            </pre>
          </details>
        </>
      )}
    </section>
  );
}
