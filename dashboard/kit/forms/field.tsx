import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly children: (tie: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
  }) => ComponentChildren;
}

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
  readonly type?: 'text' | 'email' | 'search' | 'url' | 'password' | 'number' | 'date' | 'datetime-local';
  readonly name?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
  readonly pattern?: string;
  readonly title?: string;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'url';
  readonly autoComplete?: string;
  readonly spellcheck?: boolean;
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
        const attributes = { ...others, ...tie, type, value } as object; // the input props are a union by `type` that no single object satisfies
        return <input ref={input} {...attributes} onInput={({ currentTarget }) => onValue(currentTarget.value)} />;
      }}
    </Field>
  );
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
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
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
