import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toXylemError } from '../base/errors';
import { formatBytes } from '../base/format';
import { ForgetButton } from './start-pane';
import type { Recent } from './state/recent/recent';
import type { RecentFile, RecentFiles } from './state/recent/recent-files';

interface RecentLocalProps {
  recent: Recent;
  onFiles(files: readonly File[]): void;
}

/** Files of the user's machine that were opened before. */
export function RecentLocal({ recent, onFiles }: RecentLocalProps): JSX.Element | null {
  const files = useSignal<RecentFiles | undefined>(undefined);
  const wrong = useSignal('');
  useEffect(() => {
    let isHere = true;
    void recent.files().then((loaded) => {
      if (isHere) files.value = loaded;
    });
    return () => {
      isHere = false;
    };
  }, [recent]);
  const known = files.value;
  const list = known?.list.value ?? [];
  if (known === undefined || list.length === 0) return null;
  const open = async (file: RecentFile) => {
    wrong.value = '';
    try {
      onFiles([await known.open(file)]);
    } catch (thrown) {
      const { message, fix } = toXylemError(thrown);
      wrong.value = [message, fix].filter(Boolean).join(' ');
    }
  };
  return (
    <section class="recent" aria-label="Files of this machine, opened before">
      <h3>
        Files of this machine
        <button type="button" class="link" onClick={() => void known.clear()}>
          Forget all
        </button>
      </h3>
      {wrong.value !== '' && (
        <p class="hint bad" role="alert">
          {wrong.value}
        </p>
      )}
      <ul>
        {list.map((file) => (
          <li key={file.id}>
            <button
              type="button"
              class="link"
              title={`Opened ${new Date(file.opened).toLocaleString('en-GB')}`}
              onClick={() => void open(file)}
            >
              {file.name}
            </button>
            <small>open again, {formatBytes(file.size)}</small>
            <ForgetButton name={file.name} onForget={() => void known.forget(file.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
