import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** Gets what ties the control to its label and hint. */
  readonly children: (tie: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
  }) => ComponentChildren;
}

/** A control with its label above and its hint below. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hint ? hintId : undefined })}
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'email' | 'search' | 'url' | 'number' | 'date' | 'datetime-local';
  readonly name?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: string;
  readonly max?: string;
  /** Of numbers: what they are whole counts of; `any` for fractions. */
  readonly step?: string;
  readonly pattern?: string;
  /** Says what fits the pattern. */
  readonly title?: string;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'url';
  readonly autoComplete?: string;
  readonly spellcheck?: boolean;
  /** Has the focus as soon as it appears. */
  readonly isFirst?: boolean;
  readonly class?: string;
}

export function TextField({ label, hint, value, onValue, type = 'text', isFirst, ...others }: TextFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) input.current?.focus();
  }, []);
  return (
    <Field label={label} hint={hint}>
      {(tie) => {
        const given = { ...others, ...tie, type, value } as object; // its type is a union by `type`, which none fits whole
        return <input ref={input} {...given} onInput={({ currentTarget }) => onValue(currentTarget.value)} />;
      }}
    </Field>
  );
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: Value;
  /** What may be chosen, with the words for it. */
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onValue: (value: Value) => void;
}

export function SelectField<Value extends string>({ label, hint, value, options, onValue }: SelectFieldProps<Value>) {
  const choose = (index: number) => {
    const option = options[index];
    if (option) onValue(option[0]);
  };
  return (
    <Field label={label} hint={hint}>
      {(tie) => (
        <select {...tie} value={value} onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}>
          {options.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
