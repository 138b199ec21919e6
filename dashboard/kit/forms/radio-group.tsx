import { useId } from 'preact/hooks';

interface RadioGroupProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

export function RadioGroup<Value extends string>({ legend, options, value, onValue }: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choice-group">
      <legend>{legend}</legend>
      {options.map(({ value: one, label, hint }) => (
        <label key={one} class="choice-line">
          <input type="radio" name={name} checked={one === value} onChange={() => onValue(one)} />
          <span>
            {label}
            {hint && <span class="hint"> {hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
