/** A name and its value in a list of facts. An `undefined` value is left out. */
export type Fact = [name: string, value: string | undefined];

/** A list of facts without explanations, used by the code that is loaded first. */
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
