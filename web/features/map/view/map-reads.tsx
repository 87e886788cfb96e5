import { useMemo } from 'preact/hooks';
import type { Reading } from '../../../api/reading';
import { formatBytes, formatCount } from '../../../base/format';
import type { ReadRecord } from '../../../io/trace';
import { type CoverKind, coverLabels, readCover } from '../../../reads/read-cover';
import { coverColour, type ReadStrip } from '../work/file-map-reads';

/** Returns the reads of a file in this session and in saved readings, as strips for its map. */
export function useReadStrips(
  shown: boolean,
  records: readonly ReadRecord[],
  saved: Reading | undefined,
  size: number,
): ReadStrip[] {
  const own = useMemo((): ReadStrip | undefined => {
    if (!shown) return undefined;
    const reads = records.map((record) => ({ ...record, length: record.got }));
    return { cover: readCover(reads, size), other: false };
  }, [shown, records, size]);
  const other = useMemo(
    (): ReadStrip | undefined =>
      shown && saved !== undefined ? { cover: readCover(saved.reads, size), other: true } : undefined,
    [shown, saved, size],
  );
  return useMemo(() => [own, other].filter((strip) => strip !== undefined), [own, other]);
}

const shownKinds: readonly CoverKind[] = ['read', 'again', 'store', 'memory'];

interface LegendProps {
  strips: readonly ReadStrip[];
  saved: Reading | undefined;
  size: number;
  theme: 'light' | 'dark';
}

/** Legend of the strips, with the fraction of the file that they cover. */
export function ReadsLegend({ strips, saved, size, theme }: LegendProps): JSX.Element {
  return (
    <ul class="read-legend" aria-label="What was read">
      {strips.map(({ cover, other }) => (
        <li key={other ? 'other' : 'own'}>
          <strong>{other ? `${saved?.by ?? ''}, saved` : 'This page'}</strong> {formatCount(cover.reads)}{' '}
          {cover.reads === 1 ? 'read' : 'reads'}, {formatBytes(cover.total)};{' '}
          {((100 * (size - cover.bytes.none)) / Math.max(1, size)).toFixed(1)} % of the file{' '}
          {shownKinds
            .filter((kind) => cover.bytes[kind] > 0)
            .map((kind) => (
              <span class="read-kind" key={kind}>
                <span class="swatch" style={{ background: coverColour(kind, other, theme === 'dark') }} />
                {coverLabels[kind]} {formatBytes(cover.bytes[kind])}
              </span>
            ))}
          {other && saved !== undefined && (
            <span class="hint">
              {cover.beyond > 0
                ? `${formatCount(cover.beyond)} of its reads lie after the end of this file: it was recorded for another file (${saved.file}).`
                : `taken of ${saved.file.split('/').pop()}`}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
