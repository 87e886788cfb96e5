import { useEffect, useRef } from 'preact/hooks';
import { formatCount } from '../../../base/format';
import type { DescribedField } from '../work/described';

interface HexBytesProps {
  /** Position of the first byte in the file. */
  offset: number;
  bytes: Uint8Array;
  fields: readonly DescribedField[];
  chosen: number;
  onChoose(index: number): void;
}

/** Bytes of a line. */
const LINE = 8;
/** Bytes that are shown behind the last field, and in all. */
const BEHIND = 32;
const MOST = 4096;

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -LINE,
  ArrowDown: LINE,
};

/** The bytes of a record. A click on a byte, or an arrow key, chooses the field that the byte belongs to. */
export function HexBytes({ offset, bytes, fields, chosen, onChoose }: HexBytesProps): JSX.Element {
  const host = useRef<HTMLElement>(null);
  const last = fields.at(-1);
  const end = (last?.offset ?? offset) + (last?.length ?? 0) - offset;
  const shown = bytes.subarray(0, Math.min(MOST, Math.ceil((end + BEHIND) / LINE) * LINE));
  const owner = new Int32Array(shown.length).fill(-1);
  for (const [i, field] of fields.entries())
    owner.fill(i, field.offset - offset, field.offset - offset + field.length);
  const first = fields[chosen]?.offset;
  useEffect(() => {
    const byte = host.current?.querySelector(`[data-at="${(first ?? offset) - offset}"]`);
    byte?.scrollIntoView({ block: 'nearest' });
  }, [first]);
  const chooseAt = (at: number) => {
    const index = owner[at] ?? -1;
    if (index >= 0) onChoose(index);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const field = fields[chosen];
    if (step === undefined || field === undefined) return;
    event.preventDefault();
    const from = field.offset - offset;
    // To the right of a field the next one begins.
    const at =
      step === 1
        ? from + field.length
        : step === LINE
          ? Math.max(from + LINE, from + field.length)
          : from + step;
    chooseAt(Math.max(0, at));
  };
  const lines = Math.ceil(shown.length / LINE);
  return (
    <section
      class="record-bytes"
      ref={host}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys choose the field of a byte
      tabIndex={0}
      aria-label="Bytes of the record. Arrow keys choose a field."
      onKeyDown={onKey}
      onClick={(event) => {
        const at = event.target instanceof Element ? event.target.getAttribute('data-at') : null;
        if (at !== null) chooseAt(Number(at));
      }}
    >
      {Array.from({ length: lines }, (_, line) => (
        <div class="bytes-line" key={line}>
          <span class="hint">{formatCount(offset + line * LINE)}</span>
          <span>
            {[...shown.subarray(line * LINE, (line + 1) * LINE)].map((byte, i) => (
              <span key={i} data-at={line * LINE + i} class={classOf(line * LINE + i)}>
                {byte.toString(16).padStart(2, '0')}
              </span>
            ))}
          </span>
          <span aria-hidden="true">
            {[...shown.subarray(line * LINE, (line + 1) * LINE)].map((byte, i) => (
              <span key={i} data-at={line * LINE + i} class={classOf(line * LINE + i)}>
                {byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'}
              </span>
            ))}
          </span>
        </div>
      ))}
      {shown.length < end && (
        <p class="hint">{formatCount(end - shown.length)} more bytes of fields are not shown here.</p>
      )}
    </section>
  );

  function classOf(at: number): string {
    const index = owner[at] ?? -1;
    const field = fields[index];
    if (field === undefined) return 'behind';
    return [
      index % 2 === 0 ? 'even' : 'odd',
      index === chosen ? 'chosen' : '',
      field.wrong === undefined ? '' : 'wrong',
    ].join(' ');
  }
}
