import { useContext, useEffect, useRef } from 'preact/hooks';
import { WantedFocus } from './focus';
import type { Fact } from './plain-facts';
import { type Terms, useTerms } from './term';

export type { Fact } from './plain-facts';

/**
 * A list of facts: names small, values with figures of equal width. Names with an explanation show it below the list.
 */
export function Facts({
  facts,
  class: extra = '',
  terms,
}: {
  facts: Fact[];
  class?: string;
  /** Default: explanations without pictures. */
  terms?: Terms;
}): JSX.Element {
  const own = useTerms();
  const { term, sentence } = terms ?? own;
  return (
    <>
      <dl class={`facts ${extra}`}>
        {facts.map(([name, value]) =>
          value === undefined || value === '' ? null : (
            <div key={name}>
              <dt>{term(name)}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {sentence((word) => facts.some(([name]) => name === word))}
    </>
  );
}

/** A list of remarks; nothing if there are none. */
export function Notes({ notes }: { notes: readonly string[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

interface HeadProps {
  /** Names from the file down. The last one is the heading. */
  path: string[];
  title?: string | undefined;
  badge?: string | undefined;
  children?: JSX.Element | null | undefined;
}

/** The head of the right pane: the path, and the kind of the item. */
export function Head({ path, title, badge, children }: HeadProps): JSX.Element {
  const name = path.at(-1) ?? '';
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = useContext(WantedFocus);
  const isWanted = wanted.value === 'detail';
  useEffect(() => {
    if (!isWanted) return;
    heading.current?.focus({ preventScroll: true });
    wanted.value = null;
  }, [isWanted, name]);
  return (
    <header class="head">
      {path.length > 1 && <p class="crumbs">{path.slice(0, -1).join(' / ')}</p>}
      <div class="head-line">
        <h2 ref={heading} tabIndex={-1}>
          {name}
        </h2>
        {badge !== undefined && badge !== '' && <code class="badge">{badge}</code>}
        {children}
      </div>
      {title !== undefined && title !== '' && title !== name && <p class="title">{title}</p>}
    </header>
  );
}
