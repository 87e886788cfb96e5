import { useTyped } from '../../../ui/widgets/use-typed';
import type { Asks } from '../work/brushes';
import type { OpenedBoard } from '../work/insight';
import { type Chip, type ChipRange, exprsOfChip, nameOfChip } from './board-params';

interface ChipProps {
  board: OpenedBoard;
  chip: Chip;
  /** The share of entries that it selects by itself; undefined if it is off. */
  share: number | undefined;
  /** Receives the changed brush; undefined removes it. */
  onChange(next: Chip | undefined): void;
  /** Shows this cut alone elsewhere. */
  onUse(): void;
}

/** A brush as a chip: its ranges as numbers, what it asks of a list, and buttons. */
export function ChipItem({ board, chip, share, onChange, onUse }: ChipProps): JSX.Element {
  const { selects, inverted, off } = chip;
  const title = nameOfChip(selects);
  const isList = exprsOfChip(chip).some((expr) =>
    board.columns.some((column) => column.expr === expr && column.isList),
  );
  return (
    <li class="board-chip" data-off={off}>
      <span class="board-chip-name" title={title}>
        {inverted && 'not '}
        {title}
      </span>
      {selects.kind === 'labels' && <span>{selects.labels.join(', ')}</span>}
      {selects.kind === 'ranges' &&
        selects.ranges.map((range, axis) => (
          <Range
            key={axis}
            range={range}
            name={selects.exprs[axis] ?? ''}
            onRange={(next) =>
              onChange({
                ...chip,
                selects: { ...selects, ranges: selects.ranges.map((one, i) => (i === axis ? next : one)) },
              })
            }
          />
        ))}
      {isList && <AsksField asks={chip.asks} title={title} onAsks={(asks) => onChange({ ...chip, asks })} />}
      {share !== undefined && <span class="board-count">{(100 * share).toFixed(1)} %</span>}
      <button
        type="button"
        class="quiet"
        aria-pressed={inverted}
        aria-label={`Invert the selection of ${title}`}
        onClick={() => onChange({ ...chip, inverted: !inverted })}
      >
        Invert
      </button>
      <button
        type="button"
        class="quiet"
        aria-pressed={off}
        aria-label={`Switch the selection of ${title} off`}
        onClick={() => onChange({ ...chip, off: !off })}
      >
        Off
      </button>
      <button type="button" class="quiet" aria-label={`Use the cut of ${title} alone`} onClick={onUse}>
        Use
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Remove the selection of ${title}`}
        onClick={() => onChange(undefined)}
      >
        ✕
      </button>
    </li>
  );
}

interface AsksProps {
  asks: Asks;
  title: string;
  onAsks(asks: Asks): void;
}

/** How many elements of a list have to pass: at least a number, or all. */
function AsksField({ asks, title, onAsks }: AsksProps): JSX.Element {
  const least = asks === 'all' ? 1 : asks.least;
  const typed = useTyped(String(least), (text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= 1 && number <= 9999) onAsks({ least: number });
  });
  return (
    <span class="board-asks">
      <select
        aria-label={`How many elements of ${title}`}
        value={asks === 'all' ? 'all' : least === 1 ? 'one' : 'least'}
        onChange={({ currentTarget: { value } }) =>
          onAsks(value === 'all' ? 'all' : { least: value === 'one' ? 1 : Math.max(2, least) })
        }
      >
        <option value="one">at least one</option>
        <option value="least">at least</option>
        <option value="all">all</option>
      </select>
      {asks !== 'all' && least > 1 && (
        <input
          type="text"
          inputMode="numeric"
          aria-label={`Least number of elements of ${title}`}
          {...typed}
        />
      )}
    </span>
  );
}

interface RangeProps {
  range: ChipRange;
  name: string;
  onRange(range: ChipRange): void;
}

const endText = (end: number): string => (Number.isFinite(end) ? String(end) : '');

/** The ends of a range as numbers; none for an end that is open. Ends that are reversed, and texts that are no numbers, change nothing. */
function Range({ range, name, onRange }: RangeProps): JSX.Element {
  const { low, high, above, upTo } = range;
  const set = (change: Partial<ChipRange>) => {
    const next = { ...range, ...change };
    // Both ends open would be no selection.
    if (next.low <= next.high && !(next.low === -Infinity && next.high === Infinity)) onRange(next);
  };
  const first = useTyped(endText(low), (text) =>
    set({ low: text === '' ? Number.NEGATIVE_INFINITY : Number(text), above: undefined }),
  );
  const last = useTyped(endText(high), (text) =>
    set({ high: text === '' ? Number.POSITIVE_INFINITY : Number(text), upTo: undefined }),
  );
  return (
    <span class="board-range">
      <input type="text" inputMode="decimal" aria-label={`${name} from`} placeholder="–∞" {...first} />
      {above ? '<' : '≤'} {upTo ? '≤' : '<'}
      <input type="text" inputMode="decimal" aria-label={`${name} to`} placeholder="∞" {...last} />
    </span>
  );
}
