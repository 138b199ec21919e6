import { useId } from 'preact/hooks';

interface RadioGroupProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly words: string; readonly hint?: string }[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

/** One of a few things that differ by more than a word. */
export function RadioGroup<Value extends string>({ legend, options, value, onValue }: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choice-group">
      <legend>{legend}</legend>
      {options.map(({ value: one, words, hint }) => (
        <label key={one} class="choice-line">
          <input type="radio" name={name} checked={one === value} onChange={() => onValue(one)} />
          <span>
            {words}
            {hint && <span class="hint"> {hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
