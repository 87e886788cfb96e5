interface ChoiceProps<T extends string | number> {
  label: string;
  options: readonly (readonly [value: T, text: string])[];
  value: T;
  disabled?: boolean;
  onChange(value: T): void;
}

/** A choice among a few values, as a row of buttons. */
export function Choice<T extends string>({
  label,
  options,
  value,
  disabled,
  onChange,
}: ChoiceProps<T>): JSX.Element {
  return (
    <fieldset class="choice" disabled={disabled}>
      <legend>{label}</legend>
      <div class="tabs">
        {options.map(([name, text]) => (
          <button type="button" key={name} aria-pressed={name === value} onClick={() => onChange(name)}>
            {text}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface SelectProps<T extends string | number> extends Omit<ChoiceProps<T>, 'disabled'> {
  /** The name for screen readers, if the label is empty. */
  about?: string | undefined;
}

/** A choice among several values, as a drop-down list. */
export function Select<T extends string | number>(props: SelectProps<T>): JSX.Element {
  const { label, options, value, about, onChange } = props;
  return (
    <label class="number-field">
      {label && <span>{label}</span>}
      <select
        aria-label={about}
        value={value}
        onChange={({ currentTarget }) => onChange(options[currentTarget.selectedIndex]?.[0] ?? value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CheckProps {
  label: string;
  on: boolean;
  onChange(on: boolean): void;
}

export function Check({ label, on, onChange }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
