import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount } from '../../../base/format';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { Notes } from '../../../ui/widgets/definition-list';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { useRead } from '../../../ui/widgets/use-read';
import type { DescribedField, DescribedRecord } from '../work/described';
import { describeRecord } from '../work/described';
import { placeOf, recordAround } from '../work/find-record';
import { fieldName, valueText } from '../work/record-report';
import { HexBytes } from './hex-bytes';

interface RecordPanelProps {
  store: ViewerStore;
  open: OpenFile;
  /** A position in the file, or the path of an object. */
  place: string;
  /** Called to show the record at a position. */
  onGo(offset: number): void;
}

/** The fields of the record that holds a place, beside its bytes. */
export function RecordPanel({ store, open, place, onGo }: RecordPanelProps): JSX.Element {
  const [read, again] = useRead(
    store,
    open,
    `record ${place}`,
    'Reading the record',
    async (api, file, options) => {
      const at = await placeOf(api, file, place, options);
      return await describeRecord(api, file, await recordAround(api, file, at, options), options);
    },
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  return <KnownRecord key={read.value.offset} found={read.value} onGo={onGo} />;
}

function KnownRecord({ found, onGo }: { found: DescribedRecord; onGo(offset: number): void }): JSX.Element {
  const { title, offset, size, fields, wrong, notes, bytes } = found;
  // A field that cannot be right is shown first.
  const chosen = useSignal(
    Math.max(
      0,
      fields.findIndex((field) => field.wrong !== undefined),
    ),
  );
  const field = fields[chosen.value];
  const choose = (index: number) => {
    if (index >= 0 && index < fields.length) chosen.value = index;
  };
  return (
    <section class="record" aria-label="Fields of the record">
      <h3>{title.charAt(0).toUpperCase() + title.slice(1)}</h3>
      <p class="hint">
        byte {formatCount(offset)} of {formatCount(size)};{' '}
        {wrong === 0 ? (
          'no field contradicts the file'
        ) : (
          <strong class="wrong">
            {formatCount(wrong)} {wrong === 1 ? 'field' : 'fields'} cannot be right
          </strong>
        )}
      </p>
      <div class="record-panes">
        <HexBytes {...{ offset, bytes, fields }} chosen={chosen.value} onChoose={choose} />
        <FieldTable fields={fields} chosen={chosen.value} onChoose={choose} />
      </div>
      {field && <About field={field} onGo={onGo} />}
      <Notes notes={notes} />
    </section>
  );
}

/** The chosen field in words. */
function About({ field, onGo }: { field: DescribedField; onGo(offset: number): void }): JSX.Element {
  const { about, wrong, target, type, offset, length } = field;
  return (
    <p class="record-about" aria-live="polite">
      <strong>{fieldName(field)}</strong> <span class="hint">{type}</span> {about}{' '}
      {wrong !== undefined && <span class="wrong">{wrong} </span>}
      <span class="hint">
        {formatCount(length)} {length === 1 ? 'byte' : 'bytes'} from {formatCount(offset)}.
      </span>{' '}
      {target !== undefined && wrong === undefined && (
        <button type="button" class="link" onClick={() => onGo(target)}>
          Go to byte {formatCount(target)}
        </button>
      )}
    </p>
  );
}

interface FieldTableProps {
  fields: readonly DescribedField[];
  chosen: number;
  onChoose(index: number): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

function FieldTable({ fields, chosen, onChoose }: FieldTableProps): JSX.Element {
  const body = useRef<HTMLTableSectionElement>(null);
  const isHere = useRef(false);
  useEffect(() => {
    const row = body.current?.rows[chosen];
    row?.scrollIntoView({ block: 'nearest' });
    if (isHere.current) row?.querySelector('button')?.focus({ preventScroll: true });
  }, [chosen]);
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    isHere.current = true;
    onChoose(Math.min(fields.length - 1, Math.max(0, chosen + step)));
  };
  return (
    <div class="table-box record-fields">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              Byte
            </th>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKey}>
          {fields.map((field, i) => (
            <tr
              key={field.offset}
              class={i === chosen ? 'chosen' : undefined}
              onClick={() => {
                isHere.current = true;
                onChoose(i);
              }}
            >
              <td class="number">{formatCount(field.offset)}</td>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  aria-pressed={i === chosen}
                  tabIndex={i === chosen ? 0 : -1}
                  title={field.about}
                >
                  {fieldName(field)}
                </button>
              </th>
              <td class={typeof field.value === 'string' ? 'value text' : 'value'}>{valueText(field)}</td>
              <td class={field.wrong === undefined ? undefined : 'wrong'}>{field.wrong ?? field.means}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
