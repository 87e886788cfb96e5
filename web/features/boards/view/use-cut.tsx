import { fileWord, shellWord } from '../../../base/literal';
import { cyclePath } from '../../../model/keys';
import { VIEWS } from '../../../ui/state/views';
import type { ViewProps } from '../../../ui/view-tabs';
import { CopyButton } from '../../../ui/widgets/copy-button';

interface UseCutProps extends Pick<ViewProps, 'store' | 'open'> {
  tree: NonNullable<ViewProps['tree']>;
  cut: string;
  /** The first plot, which *Draw* shows. */
  expr: string;
  weight: string;
  /** Whether it is the cut of one chip. */
  isAlone: boolean;
  /** Takes the cut of all chips again. */
  onAll(): void;
}

/** Uses of a cut: the views that take one, and lines for the command line and selectors. */
export function UseCut({ store, open, tree, cut, expr, weight, isAlone, onAll }: UseCutProps): JSX.Element {
  const path = cyclePath(tree.key);
  const file = fileWord(open.info.name);
  const own = shellWord(path);
  const weightOption = weight === '' ? '' : ` --weight ${shellWord(weight)}`;
  const lines: readonly [name: string, text: string][] = [
    ['skim', `xylem skim ${file} selected.root --tree ${own} --cut ${shellWord(cut)}`],
    ['export', `xylem export ${file} ${own} --cut ${shellWord(cut)} --out selected.parquet`],
    ['cutflow', `xylem cutflow ${file} ${own} ${termsOf(cut).map(shellWord).join(' ')}${weightOption}`],
    ['selector', `where: ${JSON.stringify(cut)},`],
  ];
  const isNone = cut === '';
  const cuts = termsOf(cut).map((one) => ['cut', one]);
  const weights = weight === '' ? [] : [['weight', weight]];
  return (
    <div class="board-use">
      <span class="board-use-name">{isAlone ? 'This cut alone in' : 'Use the cut in'}</span>
      <button
        type="button"
        disabled={isNone}
        onClick={() =>
          store.selection.drawQuery({
            expr,
            cut: weight === '' ? cut : `(${weight})*(${cut})`,
            profile: false,
          })
        }
      >
        Draw
      </button>
      <button
        type="button"
        disabled={isNone}
        onClick={() => store.selection.drawQuery({ expr: '>>elist', cut, profile: false })}
      >
        Entries
      </button>
      {'cutflow' in VIEWS && (
        <button
          type="button"
          disabled={isNone}
          onClick={() =>
            store.selection.setView('cutflow', String(new URLSearchParams([...cuts, ...weights])))
          }
        >
          Cutflow
        </button>
      )}
      {lines.map(([name, text]) => (
        <CopyButton key={name} label={`Copy for ${name}`} text={() => text} class={isNone ? 'unused' : ''} />
      ))}
      {isAlone && (
        <button type="button" class="quiet" onClick={onAll}>
          All chips
        </button>
      )}
      {!isNone && isAlone && <code>{cut}</code>}
    </div>
  );
}

/** Returns the terms of a cut of the board, each in brackets, as the steps of a cutflow. */
function termsOf(cut: string): string[] {
  const terms: string[] = [];
  let [depth, from] = [0, 0];
  let isText = false;
  for (let at = 0; at < cut.length; at++) {
    const sign = cut[at] ?? '';
    if (sign === '"' && cut[at - 1] !== '\\') isText = !isText;
    if (isText) continue;
    if (sign === '(') depth++;
    if (sign === ')') depth--;
    if (depth === 0 && cut.startsWith(' && ', at)) {
      terms.push(cut.slice(from, at));
      from = at + 4;
    }
  }
  return [...terms, cut.slice(from)];
}
