/** One name and value of a list of facts; `undefined` values are left out. */
export type Fact = [name: string, value: string | undefined];

/** A list of facts whose names need no sentence: for the first code of the page. */
export function PlainFacts({ facts }: { facts: Fact[] }): JSX.Element {
  return (
    <dl class="facts">
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
