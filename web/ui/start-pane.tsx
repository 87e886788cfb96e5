import type { Places } from './part';
import type { Recent } from './state/recent/recent';
import { FileButton } from './widgets/file-button';
import { Icon } from './widgets/icons';
import { lazy } from './widgets/lazy';

/** Files that features offer to open. */
const Offered = lazy<Places['start']>(
  async () => (await import('./widgets/slot')).slot('start'),
  false,
  true,
);

interface StartPaneProps {
  /** Area where a file can be dropped: "anywhere on this page". */
  place: string;
  sampleUrl: string | undefined;
  onSample(): void;
  onFiles(files: readonly File[]): void;
  recent: Recent | undefined;
  /** Address of the page, if it is the whole page; features may offer what is beside it. */
  base: string | undefined;
  onUrl(url: string): void;
  /** Undefined if there is no address field. */
  onPaste: (() => void) | undefined;
}

/** Shown before a file is open: a description, and three ways to open a file. */
export function StartPane({
  place,
  sampleUrl,
  onSample,
  onFiles,
  recent,
  base,
  onUrl,
  onPaste,
}: StartPaneProps): JSX.Element {
  return (
    <section class="start">
      <Rings />
      <h2>See what is in a ROOT file, without downloading it.</h2>
      <p class="lead">
        Enter an address or drop a file {place}: directories, trees and branches unfold at once, and any
        branch becomes a histogram. Only the parts you look at are read, so a file of a hundred gigabytes
        opens as fast as a small one.
      </p>
      <div class="buttons">
        {sampleUrl !== undefined && (
          <button type="button" class="primary" onClick={onSample}>
            Open the sample
          </button>
        )}
        <FileButton class="" label="Open file…" multiple keeps={recent !== undefined} onFiles={onFiles} />
        {onPaste !== undefined && (
          <button type="button" onClick={onPaste}>
            Paste an address
          </button>
        )}
      </div>
      {base !== undefined && <Offered {...{ base, onUrl }} />}
      {recent !== undefined && <RecentFiles recent={recent} onUrl={onUrl} onFiles={onFiles} />}
      <p class="private">
        <Icon name="shield" /> Nothing leaves your machine: this page reads files itself and sends them
        nowhere.
      </p>
    </section>
  );
}

/** Whether the browser gives handles of dropped files, and so of others. */
const GIVES_HANDLES = 'getAsFileSystemHandle' in (globalThis.DataTransferItem?.prototype ?? {});

/** Loaded with the list of files, if the browser has handles of files. */
const RecentLocal = lazy<{ recent: Recent; onFiles(files: readonly File[]): void }>(
  async () => (await import('./recent-local')).RecentLocal,
  false,
  true,
);

interface RecentFilesProps {
  recent: Recent;
  onUrl(url: string): void;
  onFiles(files: readonly File[]): void;
}

function RecentFiles({ recent, onUrl, onFiles }: RecentFilesProps): JSX.Element {
  const urls = recent.urls.value;
  return (
    <>
      {GIVES_HANDLES && <RecentLocal recent={recent} onFiles={onFiles} />}
      {urls.length > 0 && (
        <section class="recent" aria-label="Opened before">
          <h3>
            Opened before
            <button type="button" class="link" onClick={() => recent.clear()}>
              Forget all
            </button>
          </h3>
          <ul>
            {urls.map((url) => (
              <li key={url}>
                <button type="button" class="link" title={url} onClick={() => onUrl(url)}>
                  {fileName(url)}
                </button>
                <small>{new URL(url).host}</small>
                <ForgetButton name={fileName(url)} onForget={() => recent.forget(url)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** A button that removes one item of a list of files. */
export function ForgetButton({ name, onForget }: { name: string; onForget(): void }): JSX.Element {
  return (
    <button
      type="button"
      class="quiet forget"
      aria-label={`Forget ${name}`}
      title="Forget it"
      onClick={onForget}
    >
      ×
    </button>
  );
}

function fileName(url: string): string {
  const name = url.split('/').pop() || url;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A decoration like a cross-section of wood: rings of circles, larger towards the edge. */
function Rings(): JSX.Element {
  const vessels: JSX.Element[] = [];
  for (let ring = 1; ring <= 4; ring++) {
    const count = 5 * ring + 1;
    for (let i = 0; i < count; i++) {
      const angle = (2 * Math.PI * (i + (ring % 2) / 2)) / count;
      const radius = ring * 12.5;
      const key = `${ring}-${i}`;
      const x = (60 + radius * Math.cos(angle)).toFixed(2);
      const y = (60 + radius * Math.sin(angle)).toFixed(2);
      vessels.push(
        <circle key={key} cx={x} cy={y} r={(1.5 + ring * 0.75).toFixed(2)} class={`ring-${ring}`} />,
      );
    }
  }
  return (
    <svg class="rings" viewBox="0 0 120 120" width="132" height="132" aria-hidden="true">
      {vessels}
      <circle cx="60" cy="60" r="3" />
    </svg>
  );
}
