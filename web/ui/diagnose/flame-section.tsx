import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TreeLayout } from '../../api/api';
import type { PerfReport } from '../../insight/reads/reading';
import { PHASES, phaseNames, timeByBranch } from '../../insight/reads/time-by-branch';
import { colourOf, DARK_PALETTE, PALETTE } from '../../plot/drawing/drawing';
import { FLAME_HEIGHT, flameBoxes, timeText } from '../../plot/flame';
import { MoreRows, NumbersTable } from '../widgets/table-parts';

interface FlameProps {
  report: PerfReport;
  layout: TreeLayout;
  theme: 'light' | 'dark';
  onBranch(path: string): void;
}

const FIRST_ROWS = 8;

/** Where the time went: by branch and phase, as boxes and as a table. */
export function FlameSection({ report, layout, theme, onBranch }: FlameProps): JSX.Element | null {
  const times = useMemo(() => timeByBranch(report, layout), [report, layout]);
  const host = useRef<HTMLElement>(null);
  const width = useSignal(800);
  const only = useSignal(-1);
  const named = useSignal('');
  const most = useSignal(FIRST_ROWS);
  const any = times.length > 0;
  useEffect(() => {
    const place = host.current;
    if (place === null) return;
    const observer = new ResizeObserver(() => {
      width.value = Math.max(200, place.clientWidth - 16);
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, [any]);
  const palette = theme === 'dark' ? DARK_PALETTE : PALETTE;
  const chosen = only.value < times.length ? only.value : -1;
  const boxes = useMemo(() => flameBoxes(times, width.value, chosen), [times, width.value, chosen]);
  if (!any) return null;
  return (
    <section class="part-of-view" aria-label="Where the time went">
      <h3>Where the time went</h3>
      <figure class="plot treemap flame" ref={host}>
        <svg
          viewBox={`0 0 ${width.value} ${FLAME_HEIGHT}`}
          role="img"
          aria-label={`Time of ${times.length} branches by phase; the table below has the numbers`}
          onPointerLeave={() => (named.value = '')}
        >
          {boxes.map(({ x, y, width: wide, height, colour, label, text, at }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same as buttons
            <g
              key={`${x} ${y}`}
              onPointerEnter={() => (named.value = text)}
              onClick={() => (only.value = at === chosen ? -1 : at)}
            >
              <rect x={x} y={y} width={wide} height={height} fill={colourOf(colour, palette)} />
              {label !== '' && (
                <text x={x + 4} y={y + 16} class={y < 2 * (FLAME_HEIGHT / 3) ? 'on-paper' : ''}>
                  {label}
                </text>
              )}
            </g>
          ))}
        </svg>
        <figcaption class="map-readout">
          <span>
            {named.value ||
              'All time, below it the branches, and the phases of each. Click one to see it alone.'}
          </span>
        </figcaption>
      </figure>
      <p class="hint">
        A request for several branches counts for each by its bytes; requests and tasks that ran at once count
        each.
      </p>
      <div class="table-box">
        <NumbersTable
          titles={['Branch', 'Time', ...PHASES.map((phase) => phaseNames[phase])]}
          numbers={[1, 2, 3, 4, 5, 6]}
          rows={times.slice(0, most.value).map(({ name, branch, total, ...phases }) => [
            branch < 0 ? (
              name
            ) : (
              <button type="button" class="link" onClick={() => onBranch(name)}>
                {name}
              </button>
            ),
            timeText(total),
            ...PHASES.map((phase) => (phases[phase] > 0 ? timeText(phases[phase]) : '')),
          ])}
        />
      </div>
      <MoreRows left={times.length - most.value} onMore={() => (most.value += 200)} />
    </section>
  );
}
