import { useTyped } from '../../../ui/widgets/use-typed';
import type { Asks } from '../work/brushes';
import type { OpenedBoard } from '../work/insight';
import type { PlotBrush } from './board-params';

interface ChipProps {
  board: OpenedBoard;
  brush: PlotBrush;
  title: string;
  /** The share of entries that it selects by itself; undefined if it is off. */
  share: number | undefined;
  /** Receives the changed brush; undefined removes it. */
  onChange(next: PlotBrush | undefined): void;
}

const ASKS: readonly [text: string, asks: Asks][] = [
  ['at least one', { least: 1 }],
  ['at least two', { least: 2 }],
  ['at least three', { least: 3 }],
  ['all', 'all'],
];

/** A brush as a chip: its ranges as numbers, what it asks of a list, and buttons. */
export function Chip({ board, brush, title, share, onChange }: ChipProps): JSX.Element {
  const { columns = [] } = board.plots[brush.plot] ?? {};
  const isList = columns.some((column) => board.columns[column]?.isList);
  const labels = board.columns[columns[0] ?? -1]?.labels;
  return (
    <li class="board-chip" data-off={brush.off}>
      <span class="board-chip-name">
        {brush.inverted && 'not '}
        {title}
      </span>
      {labels ? (
        <span>{labels.slice(brush.ranges[0]?.[0], brush.ranges[0]?.[1]).join(', ')}</span>
      ) : (
        brush.ranges.map((range, axis) => (
          <Range
            key={axis}
            range={range}
            name={board.columns[columns[axis] ?? -1]?.expr ?? ''}
            onRange={(next) =>
              onChange({ ...brush, ranges: brush.ranges.map((one, i) => (i === axis ? next : one)) })
            }
          />
        ))
      )}
      {isList && (
        <select
          aria-label={`How many elements of ${title}`}
          value={JSON.stringify(brush.asks)}
          onChange={(event) => onChange({ ...brush, asks: JSON.parse(event.currentTarget.value) as Asks })}
        >
          {ASKS.map(([text, asks]) => (
            <option key={text} value={JSON.stringify(asks)}>
              {text}
            </option>
          ))}
        </select>
      )}
      {share !== undefined && <span class="board-count">{(100 * share).toFixed(1)} %</span>}
      <button
        type="button"
        class="quiet"
        aria-pressed={brush.inverted}
        aria-label={`Invert the selection of ${title}`}
        onClick={() => onChange({ ...brush, inverted: !brush.inverted })}
      >
        Invert
      </button>
      <button
        type="button"
        class="quiet"
        aria-pressed={brush.off}
        aria-label={`Switch the selection of ${title} off`}
        onClick={() => onChange({ ...brush, off: !brush.off })}
      >
        Off
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

interface RangeProps {
  range: readonly [number, number];
  name: string;
  onRange(range: [number, number]): void;
}

/** The ends of a range as numbers. Ends that are reversed, and texts that are no numbers, change nothing. */
function Range({ range: [low, high], name, onRange }: RangeProps): JSX.Element {
  const set = (from: number, to: number) => {
    if (from <= to && Number.isFinite(from) && Number.isFinite(to)) onRange([from, to]);
  };
  const first = useTyped(String(low), (text) => text !== '' && set(Number(text), high));
  const last = useTyped(String(high), (text) => text !== '' && set(low, Number(text)));
  return (
    <span class="board-range">
      <input type="text" inputMode="decimal" aria-label={`${name} from`} {...first} />
      –
      <input type="text" inputMode="decimal" aria-label={`${name} to`} {...last} />
    </span>
  );
}
