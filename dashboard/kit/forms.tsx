import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Action, useAction } from './calls.ts';
import { Button, ErrorBox } from './parts.tsx';

/** Holds the fields of a form. `bind` gives a field its value. */
export function useFields<Fields extends object>(initial: Fields | (() => Fields)) {
  const [fields, setFields] = useState(initial);
  const set = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const bind = <Name extends keyof Fields>(name: Name) => ({
    value: fields[name],
    onValue: (value: Fields[Name]) => set({ [name]: value } as unknown as Partial<Fields>),
  });
  return { fields, set, bind };
}

interface FormViewProps {
  readonly submit: string;
  /** Optional. Default: primary. `plain` on pages of several forms. */
  readonly tone?: 'primary' | 'plain' | 'danger' | undefined;
  readonly disabled?: boolean | undefined;
  readonly onCancel?: (() => void) | undefined;
  readonly cancel?: string | undefined;
  readonly children?: ComponentChildren;
}

/** For an action that the page needs as well. */
export function ActionForm(props: FormViewProps & { readonly action: Action }) {
  const { action, submit, cancel = 'Cancel', tone = 'primary', disabled = false, onCancel, children } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) action.run();
      }}
    >
      {children}
      <ErrorBox error={action.error} />
      <div class="form-actions">
        <Button type="submit" tone={tone} busy={action.isBusy} disabled={disabled}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
      </div>
    </form>
  );
}

export interface FormProps extends FormViewProps {
  readonly act: () => Promise<unknown>;
  readonly onDone?: (() => void) | undefined;
  /** Optional. It calls nothing. */
  readonly isLocal?: boolean;
}

export function Form({ act, onDone, isLocal, ...view }: FormProps) {
  return <ActionForm action={useAction(act, onDone, isLocal)} {...view} />;
}

interface LabeledProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface FieldProps extends LabeledProps {
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
      <Hint id={hintId}>{hint}</Hint>
    </div>
  );
}

function Hint({ id, children }: { readonly id?: string; readonly children: ComponentChildren }) {
  if (!children) return null;
  return (
    <p class="hint" id={id}>
      {children}
    </p>
  );
}

interface TextFieldProps extends LabeledProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'email' | 'search' | 'url' | 'password' | 'number' | 'date' | 'datetime-local' | undefined;
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

interface TextAreaProps extends LabeledProps {
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

type Option<Value> = readonly [value: Value, label: string];

interface SelectFieldProps<Value extends string> extends LabeledProps {
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onValue: (value: Value) => void;
}

export function SelectField<Value extends string>({ label, hint, ...select }: SelectFieldProps<Value>) {
  return (
    <Field label={label} hint={hint}>
      {(tie) => <Select {...tie} {...select} />}
    </Field>
  );
}

interface SelectProps<Value extends string> extends Omit<SelectFieldProps<Value>, 'label' | 'hint'> {
  readonly id?: string;
  readonly class?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string | undefined;
}

/** In tables, without a field around it. */
export function Select<Value extends string>({ value, options, onValue, ...others }: SelectProps<Value>) {
  return (
    <select
      {...others}
      value={value}
      onChange={({ currentTarget }) => {
        const option = options[currentTarget.selectedIndex];
        if (option) onValue(option[0]);
      }}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: boolean;
  readonly onValue: (isChecked: boolean) => void;
}

export function Checkbox({ label, hint, value, onValue }: CheckboxProps) {
  const hintId = useId();
  return (
    <div class="choice-group">
      <label class="choice-line">
        <input
          type="checkbox"
          aria-describedby={hint && hintId}
          checked={value}
          onChange={({ currentTarget }) => onValue(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      <Hint id={hintId}>{hint}</Hint>
    </div>
  );
}

interface CheckboxGroupProps<Value extends string> {
  readonly legend: string;
  readonly hint?: string;
  /** A word alone is its own label. */
  readonly options: readonly (Value | Option<Value>)[];
  readonly value: readonly Value[];
  readonly onValue: (value: readonly Value[]) => void;
}

export function CheckboxGroup<Value extends string>(props: CheckboxGroupProps<Value>) {
  const { legend, hint, value, onValue } = props;
  const options = props.options.map((one): Option<Value> => (typeof one === 'string' ? [one, one] : one));
  const toggle = (changed: Value, isChosen: boolean) => {
    onValue(options.map(([one]) => one).filter((one) => (one === changed ? isChosen : value.includes(one))));
  };
  return (
    <fieldset class="choice-group">
      <legend>{legend}</legend>
      {options.map(([one, label]) => (
        <label key={one} class="choice-line">
          <input
            type="checkbox"
            checked={value.includes(one)}
            onChange={({ currentTarget }) => toggle(one, currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
      ))}
      <Hint>{hint}</Hint>
    </fieldset>
  );
}

interface RadioGroupProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly (readonly [value: Value, label: string, hint?: string])[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

export function RadioGroup<Value extends string>({ legend, options, value, onValue }: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choice-group">
      <legend>{legend}</legend>
      {options.map(([one, label, hint]) => (
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
