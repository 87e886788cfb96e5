import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { toXylemError } from '../../base/errors';
import type { FileMap } from '../../insight/map/map';
import type { PerfReport } from '../../insight/reads/reading';
import { type Film, readsFilm } from '../../plot/film/film';
import { filmHtml } from '../../plot/film/film-html';
import { filmPainter } from '../../plot/film/film-painter';
import { type FilmPlayer, playFilm } from '../../plot/film/film-player';
import { saveBlob, saveText } from '../save/save-blob';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { ErrorPane } from '../widgets/error-pane';
import { Choice } from '../widgets/segmented-control';
import { useRead } from '../widgets/use-read';
import { recordFilm, webmType } from './record-film';

const VIDEO_SECONDS = 15;

export interface PlayerProps extends Pick<ViewProps, 'store' | 'open' | 'theme'> {
  /** The readings that can be played: that of this page first. */
  reports: readonly PerfReport[];
}

/** The reads in time: map, offsets and requests together, with a player, and saved as a video or a page. */
export function ReadsPlayer(props: PlayerProps): JSX.Element {
  const { store, open } = props;
  const [read, again] = useRead(store, open, 'map', 'Reading where everything lies', (_api, file, options) =>
    store.insight.map(file, options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <p class="hint">Reading where everything lies…</p>;
  return <KnownFilm {...props} map={read.value.map} />;
}

function KnownFilm({ reports, theme, map }: PlayerProps & { map: FileMap }): JSX.Element {
  // The trace that was dropped last is wanted first.
  const chosen = useSignal(reports.length - 1);
  const index = Math.min(chosen.value, reports.length - 1);
  const report = reports[index];
  const film = useMemo(() => report && readsFilm(report, map), [report, map]);
  if (film === undefined || film.reads.length === 0)
    return <p class="hint">Nothing was read yet: draw a branch, or choose a trace of another program.</p>;
  return (
    <>
      {reports.length > 1 && (
        <Choice
          label="Reads of"
          value={String(index)}
          options={reports.map(({ by }, i) => [String(i), i === 0 ? 'This page' : by])}
          onChange={(next) => (chosen.value = Number(next))}
        />
      )}
      <FilmFigure film={film} theme={theme} />
      {film.notes.map((note) => (
        <p class="hint" key={note}>
          {note}
        </p>
      ))}
      <SaveFilm film={film} theme={theme} />
    </>
  );
}

function FilmFigure({ film, theme }: { film: Film; theme: ViewProps['theme'] }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const player = useRef<FilmPlayer | undefined>(undefined);
  const dark = theme === 'dark';
  useEffect(() => {
    if (host.current === null) return;
    const mounted = playFilm(host.current, film, { dark }, filmPainter);
    player.current = mounted;
    return () => mounted.destroy();
  }, []);
  useEffect(() => player.current?.update({ film, dark }), [film, dark]);
  return <div class="film-host" ref={host} />;
}

function SaveFilm({ film, theme }: { film: Film; theme: ViewProps['theme'] }): JSX.Element {
  const wrong = useSignal('');
  const part = useSignal<number | undefined>(undefined);
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const canRecord = webmType() !== undefined;
  const name = film.title.split(', read by')[0] ?? 'reads';
  const record = async (): Promise<void> => {
    wrong.value = '';
    part.value = 0;
    const abort = new AbortController();
    stop.current = abort;
    try {
      const video = await recordFilm(film, {
        ...{ dark: theme === 'dark', seconds: VIDEO_SECONDS, signal: abort.signal },
        onProgress: (now) => (part.value = now),
      });
      saveBlob(`${name}.webm`, video);
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'ABORTED') wrong.value = error.message;
    }
    part.value = undefined;
  };
  return (
    <div class="controls">
      {part.value === undefined ? (
        <button type="button" disabled={!canRecord} onClick={() => void record()}>
          Save as WebM
        </button>
      ) : (
        <>
          <progress value={part.value} aria-label="Recording" />
          <button type="button" onClick={() => stop.current?.abort()}>
            Stop recording
          </button>
        </>
      )}
      <button type="button" onClick={() => saveText(`${name}.html`, filmHtml(film), 'text/html')}>
        Save as one HTML file
      </button>
      {!canRecord && <span class="hint">This browser records no WebM.</span>}
      {canRecord && <span class="hint">The video takes {VIDEO_SECONDS} s to record.</span>}
      {wrong.value !== '' && (
        <span class="hint bad" role="alert">
          {wrong.value}
        </span>
      )}
    </div>
  );
}
