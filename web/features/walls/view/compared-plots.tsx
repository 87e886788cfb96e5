import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TreeInfo } from '../../../api/api';
import { formatCount } from '../../../base/format';
import { lineInk } from '../../../plot/drawing/drawing';
import { Swatch } from '../../../ui/plot/plot-legend';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { useNarrowContents } from './narrow-contents';
import { WallGrid, type WallMoves } from './wall-grid';
import { loaderOf } from './wall-loader';
import { openItem, orderOf } from './wall-order';
import { remembered, storedSource, treeSource, type WallSource } from './wall-source';

interface ComparedProps {
  store: ViewerStore;
  open: OpenFile;
  theme: 'light' | 'dark';
  /** Address of the other file. */
  reference: string;
}

/** Stored objects, each over that of another file, the worst agreement first. */
export function ComparedObjects({
  paths,
  ...props
}: ComparedProps & { paths: readonly string[] }): JSX.Element {
  const items = paths.join('\n');
  const source = remembered(props.open, `compared ${items}`, () => storedSource(props.open, items, true));
  return <ComparedWall {...props} source={source} title="Objects that differ" />;
}

interface BranchesProps extends ComparedProps {
  /** Path of the tree. */
  path: string;
  names: readonly string[];
}

/** Branches of a tree, each over that of another file. */
export function ComparedBranches({ path, names, ...props }: BranchesProps): JSX.Element | null {
  const { store, open } = props;
  const keyIndex = open.keyTree.keys.findIndex((key, i) => key.path === path && !open.keyTree.superseded[i]);
  const key = open.keyTree.keys[keyIndex];
  const tree = useSignal<TreeInfo | undefined>(undefined);
  useEffect(() => {
    if (!key) return;
    // A failure is shown in the contents.
    void store.contents.readTree(keyIndex).then(
      (info) => {
        tree.value = info;
      },
      () => undefined,
    );
  }, [store, keyIndex]);
  const info = tree.value;
  if (!key || !info) return null;
  const words = names.join(' ');
  const source = remembered(open, `compared ${path} ${words}`, () =>
    treeSource({ key, keyIndex, info }, words, true),
  );
  return <ComparedWall {...props} source={source} title={`Branches of ${path} that differ`} />;
}

function ComparedWall({
  store,
  open,
  theme,
  reference,
  source,
  title,
}: ComparedProps & { source: WallSource; title: string }): JSX.Element {
  const loader = useMemo(
    () => loaderOf(store, open, source, reference, { band: 0.1, sameArea: false }),
    [store, open, source, reference],
  );
  useNarrowContents(store);
  const moves = useRef<WallMoves | undefined>(undefined);
  const version = loader.version.value;
  const order = useMemo(() => orderOf(loader, '', undefined, 'worst', []), [loader, version]);
  const error = loader.error.value;
  return (
    <section class="compared-plots" aria-label={title}>
      <h3>
        {title} <span class="hint">{formatCount(order.length)} plots</span>
      </h3>
      <p class="wall-legend">
        <Swatch ink={lineInk(0)} /> this file <Swatch ink={lineInk(1)} /> the other file
      </p>
      {error && <ErrorPane error={error} onRetry={() => loader.again()} />}
      <WallGrid
        {...{ loader, order, theme, moves }}
        size="L"
        log={false}
        axes={undefined}
        wantsAll={true}
        conditions={[]}
        label={title}
        onOpen={(index) => openItem(store, loader, index, reference)}
      />
    </section>
  );
}
