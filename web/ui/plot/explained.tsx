import { useMemo } from 'preact/hooks';
import type { KeyInfo } from '../../api/api';
import { cyclePath, isTree } from '../../model/keys';
import { DARK_PALETTE, PALETTE } from '../../plot/drawing/drawing';
import { explain, PICTURED, type PicturedWord } from '../../plot/explain';
import type { ViewProps } from '../view-tabs';
import { type Terms, useTerms } from '../widgets/term';
import { useRead } from '../widgets/use-read';
import { Painted } from './painted';

type Place = Pick<ViewProps, 'store' | 'open' | 'theme' | 'tree'>;

/** Words that share the picture of another word. */
const SAME: Record<string, PicturedWord | undefined> = {
  'In a row': 'Round trip',
  'Clusters claimed': 'Clusters',
  'True clusters': 'Clusters',
};

/** Returns explained words, with pictures of the tree, or of the first tree of the open file. */
export function useFileTerms({ store, open, theme, tree }: Place): Terms {
  const keys = open.keyTree.keys;
  const keyIndex = tree?.keyIndex ?? keys.findIndex((key) => isTree(key));
  const key = keys[keyIndex];
  return useTerms((word) => {
    const pictured = PICTURED.find((one) => one === (SAME[word] ?? word));
    if (pictured === undefined || key === undefined) return null;
    return <TermPicture key={word} {...{ store, open, theme, keyIndex }} of={key} word={pictured} />;
  });
}

interface PictureProps extends Omit<Place, 'tree'> {
  keyIndex: number;
  of: KeyInfo;
  word: PicturedWord;
}

function TermPicture({ store, open, theme, keyIndex, of, word }: PictureProps): JSX.Element | null {
  const [read] = useRead(
    store,
    open,
    `layout ${keyIndex}`,
    'Reading where the baskets lie',
    (api, file, options) => api.layout(file, cyclePath(of), options),
  );
  const layout = read.state === 'ready' ? read.value : undefined;
  const explained = useMemo(() => layout && explain(word, layout), [layout, word]);
  if (read.state === 'reading') return <p class="hint">Drawing it with this file…</p>;
  if (explained === undefined) return null;
  return (
    <figure class="explained-picture">
      <Painted
        drawing={explained.drawing}
        name={explained.caption}
        palette={theme === 'dark' ? DARK_PALETTE : PALETTE}
      />
      <figcaption>{explained.caption}</figcaption>
    </figure>
  );
}

/** A line with the words that a view uses. Each has a sentence and a picture of this file. */
export function FileWords({ words, ...place }: Place & { words: readonly string[] }): JSX.Element {
  const { term, sentence } = useFileTerms(place);
  return (
    <div class="file-words">
      <p class="hint">
        Explained with this file:{' '}
        {words.map((word, i) => (
          <span key={word}>
            {i > 0 && ', '}
            {term(word)}
          </span>
        ))}
      </p>
      {sentence()}
    </div>
  );
}
