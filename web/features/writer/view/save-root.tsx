import type { CallOptions } from '../../../api/api';
import type { Sink } from '../../../api/sink';
import type { WriteApi } from '../../../api/write';
import { formatCount } from '../../../base/format';
import { SaveFile } from '../../../ui/save/save-file';
import type { Written } from '../../../ui/state/jobs';
import type { ViewerStore } from '../../../ui/state/viewer-state';

interface SaveRootProps {
  store: ViewerStore;
  writer: WriteApi;
  /** See `SaveFile`. */
  place: string;
  /** Text of the button. */
  label: string;
  /** Name of the file; the user may choose another. */
  name: string;
  disabled?: boolean;
  write(writer: WriteApi, sink: Sink, options: CallOptions): Promise<Written>;
}

/** A button that writes a ROOT file. */
export function SaveRoot({ writer, write, ...props }: SaveRootProps): JSX.Element {
  const { store, name } = props;
  return (
    <SaveFile
      {...props}
      begin={() => {
        let sink: Sink | undefined;
        return {
          async write(_api, _file, options) {
            sink = await store.sink(name);
            return { name: sink.name, ...(await write(writer, sink, options)) };
          },
          abandon: async () => sink?.abort?.(),
        };
      }}
    />
  );
}

/** Returns "1 tree", "3 trees". */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** Returns a name for a file made from another: "events-healed.root" for "events.root". */
export function newName(name: string, what: string): string {
  const last = name.split(/[?#]/, 1)[0]?.split(/[\\/]/).pop() ?? '';
  return `${last.replace(/\.root$/i, '') || 'file'}-${what}.root`;
}
