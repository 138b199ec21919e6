interface CheckGroupProps<Value extends string> {
  readonly legend: string;
  readonly hint?: string;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly values: readonly Value[];
  readonly onValues: (values: readonly Value[]) => void;
}

/** Any number of several things. */
export function CheckGroup<Value extends string>({ legend, hint, options, values, onValues }: CheckGroupProps<Value>) {
  const toggle = (value: Value, isChosen: boolean) => {
    onValues(options.map(([one]) => one).filter((one) => (one === value ? isChosen : values.includes(one))));
  };
  return (
    <fieldset class="choice-group">
      <legend>{legend}</legend>
      {options.map(([value, words]) => (
        <label key={value} class="choice-line">
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
          />
          <span>{words}</span>
        </label>
      ))}
      {hint && <p class="hint">{hint}</p>}
    </fieldset>
  );
}
