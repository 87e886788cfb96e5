import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TreeInfo } from '../../../api/api';
import { toXylemError } from '../../../base/errors';
import { withoutTarget } from '../../../query/compile/draw-spec';
import type { Places } from '../../../ui/part';
import type { DrawnLayer } from '../../../ui/plot/own-plot';
import { snippets } from '../work/snippets';
import type { Use, UsedLayer } from '../work/use';
import { ProgramTabs, type ShownProgram } from './program-tabs';

type Props = Places['histogram'];

/** Code that makes the same histograms in other tools, to copy. */
export function UseThis(props: Props): JSX.Element {
  return <UsePrograms {...props} summary="Use this in uproot, RDataFrame, …" programs={snippets} />;
}

interface ProgramsProps extends Props {
  programs(use: Use): readonly ShownProgram[];
}

/** Programs for what a plot draws, which are written when they are asked for. */
export function UsePrograms({ summary, ...props }: ProgramsProps & { summary: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="bins" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && <Programs {...props} />}
    </details>
  );
}

/** The programs, as soon as the trees of all layers are known. */
function Programs({ programs, ...props }: ProgramsProps): JSX.Element | null {
  const { store, histogram, layers } = props;
  const look = store.plot.look.value;
  const used = useSignal<readonly UsedLayer[] | undefined>(undefined);
  const why = useSignal<string | undefined>(undefined);
  const { tree, expr, cut, branch, profile } = props;
  useEffect(() => {
    let isHere = true;
    usedLayers(props).then(
      (found) => {
        if (!isHere) return;
        used.value = found;
        why.value = undefined;
      },
      (thrown: unknown) => {
        if (isHere) why.value = toXylemError(thrown).message;
      },
    );
    return () => {
      isHere = false;
    };
  }, [tree, expr, cut, branch, profile, layers]);
  const all = useMemo(() => {
    const [first, ...others] = used.value ?? [];
    const axes = histogram.axes.map(({ bins, low, high }) => ({ bins, low, high }));
    return first ? programs({ layers: [first, ...others], axes, look }) : undefined;
  }, [used.value, histogram, look, programs]);
  if (why.value !== undefined) return <p class="hint bad">{why.value}</p>;
  return all ? <ProgramTabs all={all} /> : null;
}

/** Returns the drawings of all layers. Local files are named as if they were in the folder of the program. */
async function usedLayers({ store, tree, layers, expr, cut, branch, profile }: Props): Promise<UsedLayer[]> {
  const open = store.session.file.peek();
  const address = open?.source.kind === 'url' ? open.source.url : (open?.info.name ?? '');
  if (tree === undefined) return [];
  if (!layers) return [{ address, tree, branch, expr, cut, profile }];
  const known = new Map<string, TreeInfo>([[keyOf(open?.info.id, tree.path), tree]]);
  const found: UsedLayer[] = [];
  for (const { label, src = address, what, filled, file } of layers) {
    if (!filled) {
      found.push({ address: src, label, item: what });
      continue;
    }
    const key = keyOf(file, filled.tree);
    const own =
      known.get(key) ??
      (await store.session.call('snippets', 'Reading a tree', (api, _file, options) =>
        api.tree(file, filled.tree, options),
      ));
    known.set(key, own);
    found.push({ address: src, label, tree: own, ...drawingOf(own, filled.draw) });
  }
  return found;
}

function keyOf(file: number | undefined, tree: string): string {
  return JSON.stringify([file, tree]);
}

/** The drawing of a layer of a tree. */
function drawingOf(
  tree: TreeInfo,
  { branch, expr = '', cut = '', option }: NonNullable<DrawnLayer['filled']>['draw'],
): Pick<UsedLayer & { tree: TreeInfo }, 'branch' | 'expr' | 'cut' | 'profile'> {
  const path = typeof branch === 'number' ? tree.branches[branch]?.path : branch;
  const profile = /prof/i.test(option ?? '');
  if (path === undefined) return { expr: withoutTarget(expr), cut, profile };
  const name = tree.branches.find((one) => one.path === path)?.name ?? path;
  return { branch: path, expr: name, cut, profile };
}
