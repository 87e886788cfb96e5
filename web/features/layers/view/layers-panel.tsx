import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { storedAddress } from '../../../io/signatures';
import { readableLatex } from '../../../plot/drawing/latex';
import { LOOKS, type OverMap } from '../../../plot/layers/choices';
import { formatLayers, isOwn, type LayerSpec } from '../../../plot/layers/layer-spec';
import { lineLook } from '../../../plot/layers/lines';
import type { StatLine } from '../../../plot/model';
import type { Places } from '../../../ui/part';
import { LookChoices } from '../../../ui/plot/plot-controls';
import { Swatch } from '../../../ui/plot/plot-legend';
import { Partial } from '../../../ui/plot/results';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { Select } from '../../../ui/widgets/segmented-control';
import { TableHead } from '../../../ui/widgets/table-parts';
import { AddLayer } from './add-layer';
import { useLayerDrop } from './drop-layer';
import { type ShownLayers, useLayers } from './use-layers';

const OVER: readonly [OverMap, string][] = [
  ['boxes', 'Boxes'],
  ['contours', 'Contours'],
];

/** The layers in their order, with buttons and styles of each, and the form for another layer. Adds them to the plot. */
export function LayersPanel({ store, shown, own, tree, onChange }: Places['plot']): JSX.Element {
  const layers = useLayers(store, shown, own);
  const { list, why, reading, model, histograms } = layers;
  const drawn = model === shown ? undefined : model;
  useLayoutEffect(() => {
    onChange('layers', {
      model: drawn,
      histograms,
      layers: layers.drawn,
      reading,
      own: layers.own,
      stats: statsOf(layers),
    });
  }, [drawn, histograms, reading, layers.rows]);
  useLayoutEffect(() => () => onChange('layers', undefined), []);
  const isAlone = list.length < 2;
  const section = useRef<HTMLElement>(null);
  useLayerDrop(section, store, list);
  return (
    <section class="layers" aria-label="Layers" aria-busy={reading} ref={section}>
      {!isAlone && (
        <>
          <ol class="layer-list">
            {list.map((spec, i) => (
              <Row
                key={JSON.stringify({
                  ...spec,
                  hidden: undefined,
                  colour: undefined,
                  label: undefined,
                  as: undefined,
                })}
                store={store}
                {...{ layers, spec, i }}
              />
            ))}
          </ol>
          <div class="controls">
            <LookChoices store={store} model={layers.model} of="layers" />
            <button
              type="button"
              class="link"
              onClick={() => {
                store.plot.layers.value = '';
              }}
            >
              Remove all layers
            </button>
          </div>
        </>
      )}
      {why !== undefined && (
        <p class="hint bad" role="alert">
          {isAlone ? why : `Nothing below: ${why}`}
        </p>
      )}
      <AddLayer store={store} list={list} tree={tree} />
    </section>
  );
}

interface RowProps {
  store: ViewerStore;
  layers: ShownLayers;
  spec: LayerSpec;
  i: number;
}

/** One layer: its colour and name, its error, and its buttons. */
function Row({ store, layers, spec, i }: RowProps): JSX.Element {
  const { list, rows, refused, reading, again } = layers;
  const row = rows[i];
  const name = readableLatex(row?.label ?? nameOf(spec));
  const colour = spec.colour ?? (i % LOOKS) + 1;
  const wrong = row?.error;
  const why = refused.get(i);
  const put = (next: readonly LayerSpec[]) => {
    store.plot.layers.value = formatLayers(next);
  };
  const change = (part: Partial<LayerSpec>) =>
    put(list.map((one, k) => (k === i ? { ...one, ...part } : one)));
  const move = (by: -1 | 1) => {
    // A colour belongs to a layer, not to a position.
    const kept = list.map((one, k) => ({ ...one, colour: one.colour ?? (k % LOOKS) + 1 }));
    const [moved] = kept.splice(i, 1);
    if (moved) kept.splice(i + by, 0, moved);
    put(kept);
  };
  return (
    <li class={spec.hidden ? 'hidden-layer' : undefined}>
      <button
        type="button"
        class="colour"
        title="Another colour"
        aria-label={`Another colour for ${name}`}
        onClick={() => change({ colour: (colour % LOOKS) + 1 })}
      >
        <Swatch {...(row?.part?.ink ? { ink: row.part.ink, dash: row.part.dash } : lineLook(colour - 1))} />
      </button>
      <LayerName name={name} onName={(label) => change({ label: label || undefined })} />
      {layers.model.kind === 'map' && i > 0 && (
        <Select
          label=""
          about={`How ${name} is drawn`}
          value={spec.as ?? 'boxes'}
          options={OVER}
          onChange={(as) => change({ as: as === 'boxes' ? undefined : as })}
        />
      )}
      <span class="layer-buttons">
        <button
          type="button"
          disabled={i === 0}
          aria-label={`Move ${name} up`}
          title="Up"
          onClick={() => move(-1)}
        >
          ↑
        </button>
        <button
          type="button"
          disabled={i === list.length - 1}
          aria-label={`Move ${name} down`}
          title="Down"
          onClick={() => move(1)}
        >
          ↓
        </button>
        <button
          type="button"
          aria-label={`${spec.hidden ? 'Show' : 'Hide'} ${name}`}
          onClick={() => change({ hidden: spec.hidden ? undefined : true })}
        >
          {spec.hidden ? 'Show' : 'Hide'}
        </button>
        {!isOwn(spec) && (
          <button
            type="button"
            aria-label={`Remove ${name}`}
            onClick={() => put(list.filter((_, k) => k !== i))}
          >
            Remove
          </button>
        )}
      </span>
      {row === undefined && reading && <span class="hint">Reading…</span>}
      {wrong !== undefined && (
        <p class="hint bad" role="alert">
          {wrong.message} {wrong.fix}{' '}
          <button type="button" class="link" onClick={again}>
            Read again
          </button>
        </p>
      )}
      {why !== undefined && (
        <p class="hint bad" role="alert">
          Not drawn: {why}
        </p>
      )}
      <Partial note={row?.partial} of={name} onAgain={again} />
    </li>
  );
}

/**
 * The name of a layer, which can be edited. An empty name means the default, which says how the layer differs from
 * the others.
 */
function LayerName({ name, onName }: { name: string; onName(name: string): void }): JSX.Element {
  const typed = useSignal<string | undefined>(undefined);
  if (typed.value === undefined)
    return (
      <button type="button" class="layer-name" title="Rename" onClick={() => (typed.value = name)}>
        {name}
      </button>
    );
  return (
    <input
      type="text"
      class="layer-name"
      aria-label={`Name of ${name}`}
      value={typed.value}
      ref={(field) => field?.focus()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        typed.value = undefined;
      }}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
      }}
      onBlur={() => {
        const text = typed.peek()?.trim();
        if (text !== undefined && text !== name) onName(text);
        typed.value = undefined;
      }}
    />
  );
}

/** Returns the name of a layer before it is read. */
function nameOf({ label, draw, item, cut, src }: LayerSpec): string {
  return label ?? ([draw ?? item, cut, src && storedAddress(src)].filter(Boolean).join(', ') || 'This plot');
}

/** Returns the statistics of all drawn layers in one table; undefined for fewer than two. */
function statsOf({ rows, refused }: ShownLayers): JSX.Element | undefined {
  const shown = rows.flatMap((row, i) =>
    row?.part && !row.spec.hidden && !refused.has(i) ? [{ part: row.part, label: row.label }] : [],
  );
  if (shown.length < 2) return undefined;
  const labels = [...new Set(shown.flatMap(({ part }) => part.model.stats.map(({ label }) => label)))];
  const statOf = (lines: readonly StatLine[], label: string) =>
    lines.find((line) => line.label === label)?.value ?? '–';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where it is narrow
    <section class="table-box" aria-label="Statistics of the layers" tabIndex={0}>
      <table class="compared-stats">
        <TableHead
          titles={[
            'Statistics',
            ...shown.map(({ part: { ink = 'line1', dash }, label }) => (
              <>
                <Swatch ink={ink} dash={dash} /> {readableLatex(label)}
              </>
            )),
          ]}
          numbers={shown.map((_, i) => i + 1)}
        />
        <tbody>
          {labels.map((label) => (
            <tr key={label}>
              <th scope="row">{readableLatex(label)}</th>
              {shown.map(({ part }, i) => (
                <td key={i} class="number">
                  {statOf(part.model.stats, label)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Shown if there are layers but the result is not a plot that they could be drawn over. */
export function NoLayers({ store, why }: Places['no-plot']): JSX.Element {
  return (
    <p class="hint no-layers" role="status">
      Layers are not drawn here: {why}{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          store.plot.layers.value = '';
        }}
      >
        Remove all layers
      </button>
    </p>
  );
}
