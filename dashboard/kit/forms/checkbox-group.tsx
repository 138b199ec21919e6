interface CheckboxGroupProps<Value extends string> {
  readonly legend: string;
  readonly hint?: string;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly values: readonly Value[];
  readonly onValues: (values: readonly Value[]) => void;
}

export function CheckboxGroup<Value extends string>({
  legend,
  hint,
  options,
  values,
  onValues,
}: CheckboxGroupProps<Value>) {
  const toggle = (value: Value, isChosen: boolean) => {
    onValues(options.map(([one]) => one).filter((one) => (one === value ? isChosen : values.includes(one))));
  };
  return (
    <fieldset class="choice-group">
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value} class="choice-line">
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
      ))}
      {hint && <p class="hint">{hint}</p>}
    </fieldset>
  );
}
