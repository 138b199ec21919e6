import type { ComponentChildren } from 'preact';
import { Field } from './field.tsx';

interface TextAreaProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
  readonly required?: boolean;
}

export function TextArea({ label, hint, value, onValue, rows = 4, required = false }: TextAreaProps) {
  return (
    <Field label={label} hint={hint}>
      {(tie) => (
        <textarea
          {...{ id: tie.id, ...(tie['aria-describedby'] && { 'aria-describedby': tie['aria-describedby'] }) }}
          rows={rows}
          required={required}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}
