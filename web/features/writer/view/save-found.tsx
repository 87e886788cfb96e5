import type { WriteApi } from '../../../api/write';
import { formatBytes } from '../../../base/format';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import { lostText } from '../work/salvage/lost-text';
import { counted, newName, SaveRoot } from './save-root';

interface SaveFoundProps {
  store: ViewerStore;
  writer: WriteApi;
  open: OpenFile;
}

/** Writes the readable parts of a damaged file as a valid file, and lists the lost parts. */
export function SaveFound({ store, writer, open }: SaveFoundProps): JSX.Element {
  const { name, size } = open.info;
  return (
    <section class="save-found">
      <p class="hint">
        What can be read of this file can be saved as a sound one. That reads all of its {formatBytes(size)}{' '}
        to check them, and the baskets again to copy them.
      </p>
      <SaveRoot
        {...{ store, writer }}
        place="salvage"
        label="Save what was found"
        name={newName(name, 'salvaged')}
        write={async (api, sink, options) => {
          const { bytes, keys, baskets, notes, lost } = await api.salvage(open.info, sink, options);
          const losses = lost.length > 0 ? `${counted(lost.length, 'loss')}` : 'nothing is lost';
          return {
            bytes,
            text: `${counted(keys, 'key')}, ${counted(baskets, 'basket')}, read back and checked; ${losses}`,
            notes: [...lost.map((one) => `Lost: ${lostText(one)}`), ...notes],
          };
        }}
      />
    </section>
  );
}
