import { useEffect, useRef } from 'preact/hooks';
import type { PlannedTree, WritePlan } from '../../../api/write';
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import { parseCodec } from '../../../core/compression';
import { colourScale } from '../../../plot/drawing/colour-scale';
import type { Places } from '../../../ui/part';
import { OwnTable } from '../../../ui/report/report';
import type { HealChoice, HealCodec } from '../../../ui/save/heal-choice';
import { mapOf } from '../../../ui/state/map-link';
import { Notes } from '../../../ui/widgets/definition-list';
import { Choice, Select } from '../../../ui/widgets/segmented-control';
import { useRead } from '../../../ui/widgets/use-read';
import { costTable } from '../../whatif/work/cost-table';
import { linkText } from './link-text';
import { counted, newName, SaveRoot } from './save-root';

/** The levels, each with a sentence that describes it. */
const levels = {
  order: [
    'Order',
    'Baskets then lie in the order in which they are read, and trees say the clusters that they have. They are copied as they are compressed. Unused space and older cycles are left out.',
  ],
  rebasket: [
    'Rebasket',
    'Baskets are joined and cut so that all branches have clusters of about 30 MB, and then lie in the order in which they are read. Unused space and older cycles are left out.',
  ],
  clusters: [
    'Clusters',
    'Trees then say the clusters that their baskets have. All else is copied as it lies, with all cycles.',
  ],
} as const satisfies Record<HealChoice['level'], readonly [string, string]>;

/** The available codecs with their names. The first one keeps the baskets. */
const codecs = {
  keep: 'as it is',
  'zstd:5': 'zstd 5: small and fast',
  'lz4:4': 'lz4 4: larger, read fastest',
  'zlib:1': 'zlib 1: for old readers',
  'lzma:5': 'lzma 5: smallest, slow',
  none: 'none',
} as const satisfies Record<HealCodec, string>;

/** Number of places for which the pictures show entries. */
const PLACES = 600;
/** Maximum number of trees with pictures. A file may have thousands. */
const MOST = 8;

/** Rewrites the file so that it can be read faster, and shows the gain in advance. */
export function HealSection(props: Places['heal']): JSX.Element | null {
  const { store, open, tree, theme, writer, choice } = props;
  const { level, codec: codecName } = choice.value;
  const codec = codecName === 'keep' ? undefined : parseCodec(codecName);
  const set = (change: Partial<HealChoice>) => {
    choice.value = { ...choice.peek(), ...change };
  };
  const estimate = store.traffic.link.link.value;
  const [read] = useRead(
    store,
    open,
    `heal ${level} ${codecName} ${JSON.stringify(estimate)}`,
    'Looking at what healing brings',
    async (_api, _file, options) => {
      const links = estimate && [{ ...estimate, name: linkText(estimate) }];
      return writer.planHeal(open.info, { ...options, level, codec, places: PLACES, links });
    },
  );
  const link = read.state === 'ready' && read.value.read.links.length === 1 && read.value.read.links[0]?.link;
  const known = read.state === 'ready' ? read.value.trees : [];
  const showMap = mapOf(store);
  const shown = known.filter(({ path, baskets }) => baskets > 0 && (!tree || tree.key.path === path));
  if (read.state === 'ready' && shown.length === 0) return null;
  return (
    <section class="finding heal">
      <h3 ref={props.heading} tabIndex={-1}>
        Heal: write the file anew
      </h3>
      <div class="controls">
        <Choice
          label="Level"
          options={Object.entries(levels).map(([name, [title]]) => [name as HealChoice['level'], title])}
          value={level}
          onChange={(value) => set({ level: value })}
        />
        <Select
          label="Compression"
          options={Object.entries(codecs) as [HealCodec, string][]}
          value={codecName}
          onChange={(value) => set({ codec: value })}
        />
      </div>
      <p>
        {levels[level][1]}
        {codec &&
          ' All baskets are compressed anew; to learn how small they become, up to about 4 MB of them are read.'}{' '}
        No value changes.
      </p>
      <Repaired {...props.repaired(choice.value)} />
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
          it in order goes through the colours once. Calls and times are those of ROOT, simulated
          {link && ` over ${link}`}.
        </p>
      )}
      {read.state === 'ready' && <Work plan={read.value} />}
      {shown.length > 0 && showMap && (
        <p>
          <button type="button" onClick={() => showMap({ colouring: 'entries' })}>
            Show it on the map
          </button>
        </p>
      )}
      <SaveRoot
        {...{ store, writer }}
        place="heal"
        label="Save the healed file"
        name={newName(open.info.name, 'healed')}
        write={async (api, sink, options) => {
          const { bytes, keys, baskets, notes } = await api.heal(open.info, sink, {
            ...options,
            level,
            codec,
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

/** The findings that this healing repairs, and those that remain. */
function Repaired({ repaired, left }: Record<'repaired' | 'left', string>): JSX.Element | null {
  if (repaired === '' && left === '') return null;
  return (
    <p class={repaired === '' ? 'hint bad' : undefined}>
      {repaired === '' ? 'This repairs nothing of what was found.' : `This repairs: ${repaired}.`}
      {left !== '' && ` It leaves: ${left}.`}
    </p>
  );
}

/** Describes how much healing reads and writes, and which parts it leaves out. */
function Work({ plan: { read, write, notes } }: { plan: WritePlan }): JSX.Element {
  // The measured link, or a typical one in the middle of the list.
  const link = read.links[read.links.length >> 1];
  return (
    <>
      <p>
        Healing reads {formatBytes(read.bytes)}
        {link !== undefined &&
          ` in ${counted(link.requests, 'request')}, about ${formatDuration(link.ms)} over ${link.link}`}
        , and writes {write.estimated && 'about '}
        {formatBytes(write.bytes)}.
      </p>
      <Notes notes={notes} />
    </>
  );
}

/** A tree before and after healing. */
function Gain({ tree, dark }: { tree: PlannedTree; dark: boolean }): JSX.Element {
  const { path, baskets, bytes, clustersClaimed, clustersAfter, basketsAfter, bytesAfter, strips, costs } =
    tree;
  const rows = [
    ['Now', tree.seeksBefore, clustersClaimed, strips?.before],
    ['Healed', tree.seeksAfter, clustersAfter, strips?.after],
  ] as const;
  return (
    <figure class="gain">
      <figcaption>
        <strong>{path}</strong>: {counted(baskets, 'basket')}, {formatBytes(bytes)}
        {(basketsAfter !== baskets || bytesAfter !== bytes) &&
          `; healed about ${counted(basketsAfter, 'basket')}, ${formatBytes(bytesAfter)}`}
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
      {costs.length > 0 && <OwnTable table={costTable(costs, 'Healed')} />}
    </figure>
  );
}

/** A picture of the row. The row gives the same in figures. */
function Strip({ strip, dark }: { strip: Float32Array; dark: boolean }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const scale = colourScale(dark);
    const image = context.createImageData(strip.length, 1);
    for (const [i, share] of strip.entries()) {
      // As on the map, the faintest colours are not used.
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
