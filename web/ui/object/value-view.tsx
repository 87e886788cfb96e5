import { formatNumber } from '../../base/format';
import { CopyButton } from '../widgets/copy-button';
import { Facts } from '../widgets/definition-list';
import { TableHead } from '../widgets/table-parts';
import type { ObjectValue } from './values';

/** The contents of an object. */
export function ValueView({ value }: { value: ObjectValue }): JSX.Element {
  switch (value.kind) {
    case 'value':
      return <p class="object-value">{value.value === '' ? <em>empty</em> : value.value}</p>;
    case 'code':
      return (
        <>
          {value.note !== undefined && value.note !== '' && <p class="hint">{value.note}</p>}
          <p>
            <CopyButton label="Copy" text={() => value.text} />
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="lines" tabIndex={0}>
            {value.text}
          </pre>
        </>
      );
    case 'table':
      return <ValueTable value={value} />;
    case 'fit':
      return (
        <>
          <Facts class="wide" facts={value.facts} />
          {value.parameters !== undefined && (
            <>
              <h3>Parameters</h3>
              <ValueView value={value.parameters} />
            </>
          )}
          {value.note !== undefined && <p class="hint">{value.note}</p>}
        </>
      );
  }
}

function ValueTable({ value }: { value: ObjectValue & { kind: 'table' } }): JSX.Element {
  const { columns, rows, note } = value;
  return (
    <>
      {note !== undefined && <p class="summary">{note}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="table-box value-table" aria-label="Values" tabIndex={0}>
        <table>
          <TableHead titles={['', ...columns]} numbers={columns.map((_, i) => i + 1)} />
          <tbody>
            {rows.map(({ name, cells }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, i) => (
                  <td key={columns[i]} class="number">
                    {typeof cell === 'number' ? formatNumber(cell, 9).replace('-', '−') : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
