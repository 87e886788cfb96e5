import type { JSX } from 'preact';

/** One name and value of a list of facts; `undefined` values are left out. */
export type Fact = [name: string, value: string | undefined];

/** A list of facts: names small, values with tabular figures. */
export function Facts({ facts, class: extra = '' }: { facts: Fact[]; class?: string }): JSX.Element {
  return (
    <dl class={`facts ${extra}`}>
      {facts.map(([name, value]) =>
        value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

interface HeadProps {
  /** Names from the file down; the last is the heading. */
  path: string[];
  title?: string | undefined;
  badge?: string | undefined;
  children?: JSX.Element | null | undefined;
}

/** The head of the right pane: the path, and the kind of the item. */
export function Head({ path, title, badge, children }: HeadProps): JSX.Element {
  const name = path.at(-1) ?? '';
  return (
    <header class="head">
      {path.length > 1 && <p class="crumbs">{path.slice(0, -1).join(' / ')}</p>}
      <div class="head-line">
        <h2>{name}</h2>
        {badge !== undefined && badge !== '' && <code class="badge">{badge}</code>}
        {children}
      </div>
      {title !== undefined && title !== '' && title !== name && <p class="title">{title}</p>}
    </header>
  );
}
