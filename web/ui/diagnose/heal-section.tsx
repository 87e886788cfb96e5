import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatBytes, formatCount } from '../../base/format';
import { colourScale } from '../../plot/drawing/colour-scale';
import type { WriteApi } from '../../write/api';
import type { HealLevel } from '../../write/heal';
import type { PlannedTree } from '../../write/plan/write-plan';
import { counted, newName, SaveRoot } from '../save/save-root';
import { formatMapState } from '../state/map-state';
import type { ViewProps } from '../view-tabs';
import { Choice } from '../widgets/segmented-control';
import { useRead } from '../widgets/use-read';

/** The levels, with the sentence that says what each does. */
const levels = {
  order: [
    'Order',
    'Baskets then lie in the order in which they are read, and trees say the clusters that they have. They are copied as they are compressed. Unused space and older cycles are left out.',
  ],
  rebasket: [
    'Rebasket',
    'Baskets are joined and cut so that all branches have clusters of about 30 MB, and then lie in the order in which they are read.',
  ],
  clusters: [
    'Clusters',
    'Trees then say the clusters that their baskets have. All else is copied as it lies.',
  ],
} as const satisfies Partial<Record<HealLevel, readonly [string, string]>>;
type Level = keyof typeof levels;

/** Places of which the pictures show the entries. */
const PLACES = 600;
/** Trees with pictures; a file may have thousands. */
const MOST = 8;

/** Writes the file anew so that it is read faster, and says before what that brings. */
export function HealSection(props: ViewProps & { writer: WriteApi }): JSX.Element | null {
  const { store, open, tree, theme, writer } = props;
  const level = useSignal<Level>('order');
  const [read] = useRead(
    store,
    open,
    `heal ${level.value}`,
    'Looking at the order of baskets',
    (_api, _file, options) => writer.planHeal(open.info, { ...options, level: level.value, places: PLACES }),
  );
  const known = read.state === 'ready' ? read.value.trees : [];
  const shown = known.filter(({ path, baskets }) => baskets > 0 && (!tree || tree.key.path === path));
  if (read.state === 'ready' && shown.length === 0) return null;
  return (
    <section class="finding heal">
      <h3>Heal: write the file anew</h3>
      <Choice
        label="Level"
        options={Object.entries(levels).map(([name, [title]]) => [name as Level, title])}
        value={level.value}
        onChange={(value) => {
          level.value = value;
        }}
      />
      <p>{levels[level.value][1]} No value changes.</p>
      {read.state === 'failed' && (
        <p class="hint bad" role="alert">
          {read.error.message} {read.error.fix}
        </p>
      )}
      {shown.slice(0, MOST).map((healed) => (
        <Gain key={healed.path} tree={healed} dark={theme === 'dark'} />
      ))}
      {shown.length > MOST && <p class="hint">… and {formatCount(shown.length - MOST)} more trees.</p>}
      {shown.length > 0 && (
        <p class="hint">
          Each row is the bytes of a tree from the first to the last. A colour is a place in the tree: reading
          it in order goes through the colours once.
        </p>
      )}
      {shown.length > 0 && (
        <p>
          <button
            type="button"
            onClick={() => store.setView('map', formatMapState({ colouring: 'entries' }))}
          >
            Show it on the map
          </button>
        </p>
      )}
      <SaveRoot
        {...{ store, writer }}
        slot="heal"
        label="Save the healed file"
        name={newName(open.info.name, 'healed')}
        write={async (api, sink, options) => {
          const { bytes, keys, baskets, notes } = await api.heal(open.info, sink, {
            ...options,
            level: level.value,
          });
          return {
            bytes,
            notes,
            text: `${counted(keys, 'key')}, ${counted(baskets, 'basket')}, read back and compared`,
          };
        }}
      />
    </section>
  );
}

/** A tree before and after. */
function Gain({ tree, dark }: { tree: PlannedTree; dark: boolean }): JSX.Element {
  const { path, baskets, bytes, clustersClaimed, clustersAfter, basketsAfter, strips } = tree;
  const rows = [
    ['Now', tree.seeksBefore, clustersClaimed, strips?.before],
    ['Healed', tree.seeksAfter, clustersAfter, strips?.after],
  ] as const;
  return (
    <figure class="gain">
      <figcaption>
        <strong>{path}</strong>: {counted(baskets, 'basket')}, {formatBytes(bytes)}
        {basketsAfter !== baskets && `, ${counted(basketsAfter, 'basket')} when it is healed`}
      </figcaption>
      {rows.map(([name, seeks, clusters, strip]) => (
        <div key={name} class="gain-row">
          <span>{name}</span>
          {strip !== undefined && <Strip strip={strip} dark={dark} />}
          <span>
            {counted(seeks, 'seek')}, {counted(clusters, 'cluster')} named
          </span>
        </div>
      ))}
    </figure>
  );
}

/** The row says in figures what the picture shows. */
function Strip({ strip, dark }: { strip: Float32Array; dark: boolean }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const scale = colourScale(dark);
    const image = context.createImageData(strip.length, 1);
    for (const [i, share] of strip.entries()) {
      // As on the map, the faintest colours are left out.
      const from = 3 * (32 + Math.min(223, Math.floor(share * 224)));
      image.data.set([...scale.subarray(from, from + 3), 255], 4 * i);
    }
    context.putImageData(image, 0, 0);
  }, [strip, dark]);
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} width={strip.length} height={1} />
    </span>
  );
}
