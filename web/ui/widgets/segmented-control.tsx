interface ChoiceProps<T extends string> {
  label: string;
  options: readonly (readonly [value: T, text: string])[];
  value: T;
  disabled?: boolean;
  onChange(value: T): void;
}

/** A choice of one among a few, as a row of buttons. */
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
