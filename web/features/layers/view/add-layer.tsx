import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SourceSpec, TreeInfo } from '../../../api/api';
import { toXylemError } from '../../../base/errors';
import { formatLayers, type LayerSpec } from '../../../plot/layers/layer-spec';
import { typedUrl } from '../../../ui/state/address/typed-url';
import { tabName } from '../../../ui/state/open-files';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { FileButton } from '../../../ui/widgets/file-button';
import { QueryField } from '../../../ui/widgets/query-field';
import { layerFiles } from './layer-files';

interface AddLayerProps {
  store: ViewerStore;
  list: readonly LayerSpec[];
  tree: TreeInfo | undefined;
}

/** The form for another layer. Empty fields take the value of the plot. */
export function AddLayer({ store, list, tree }: AddLayerProps): JSX.Element {
  const draw = useSignal('');
  const cut = useSignal('');
  const address = useSignal('');
  const wrong = useSignal('');
  const drawField = useRef<HTMLInputElement>(null);
  const cutField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const others = store.files.list.value.filter((tab) => tab.id !== store.files.current.value);

  /** Adds the layer of the form, of another file if one is given. */
  const add = (src: string | undefined) => {
    const layer: LayerSpec = {
      ...(draw.value.trim() && { draw: draw.value.trim() }),
      ...(cut.value.trim() && { cut: cut.value.trim() }),
      ...(src !== undefined && { src }),
    };
    if (Object.keys(layer).length === 0) {
      wrong.value = 'Write what is drawn, a cut, or another file.';
      return;
    }
    wrong.value = '';
    // The same drawing from another file is a reference: it lies below, and the plot is divided by it.
    const isReference = layer.draw === undefined && layer.cut === undefined;
    if (isReference && list.length < 2) {
      store.plot.look.value = { ...store.plot.look.peek(), below: 'ratio' };
      store.plot.layers.value = formatLayers([{ ...layer, colour: 2 }, { colour: 1 }]);
    } else store.plot.layers.value = formatLayers([...list, layer]);
    draw.value = '';
    cut.value = '';
    address.value = '';
    // The form may be far below the plot, which is of interest now.
    form.current?.closest('.panel')?.querySelector('.plot')?.scrollIntoView({ block: 'nearest' });
  };
  const addFrom = (source: SourceSpec) =>
    add(source.kind === 'url' ? source.url : layerFiles(store).name(source));
  const submit = () => {
    if (address.value.trim() === '') return add(undefined);
    try {
      add(typedUrl(address.value, document.baseURI));
    } catch (thrown) {
      wrong.value = toXylemError(thrown).message;
    }
  };
  return (
    <details class="bins add-layer">
      <summary>Add a layer</summary>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div class="layer-fields">
          {tree === undefined ? (
            <label class="number-field">
              <span>Draw</span>
              <input
                type="text"
                placeholder="as the plot, or the path of another histogram"
                value={draw.value}
                onInput={(event) => {
                  draw.value = event.currentTarget.value;
                }}
              />
            </label>
          ) : (
            <>
              <QueryField
                {...{ id: 'layer-draw', label: 'Draw', tree, invalid: false, input: drawField }}
                placeholder="as the plot"
                value={draw.value}
                onValue={(value) => {
                  draw.value = value;
                }}
                onHistory={() => undefined}
              />
              <QueryField
                {...{ id: 'layer-cut', label: 'Where', tree, invalid: false, input: cutField }}
                placeholder={draw.value.trim() === '' ? 'as the plot' : 'everything'}
                value={cut.value}
                onValue={(value) => {
                  cut.value = value;
                }}
                onHistory={() => undefined}
              />
            </>
          )}
        </div>
        <div class="controls compare">
          <input
            type="text"
            inputMode="url"
            aria-label="Address of another file"
            placeholder="this file, or https://… of another"
            value={address.value}
            onInput={(event) => {
              address.value = event.currentTarget.value;
            }}
          />
          <button type="submit">Add layer</button>
          <FileButton
            class=""
            label="From a file of yours…"
            onFiles={([file]) => file !== undefined && addFrom({ kind: 'blob', blob: file, name: file.name })}
          />
          {others.map((tab) => (
            <button type="button" key={tab.id} onClick={() => addFrom(tab.source)}>
              From {tabName(tab)}
            </button>
          ))}
        </div>
        <p class="hint">
          Empty fields are taken from the plot: with only a file, the same plot of that file is added. You can
          also drag a branch or a histogram from the contents onto the plot.
        </p>
        {wrong.value !== '' && (
          <p class="hint bad" role="alert">
            {wrong.value}
          </p>
        )}
      </form>
    </details>
  );
}
