import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { type Choice, findChoices, isChoice } from './find-choices.ts';

interface ComboboxProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly options: readonly Choice[];
  /** The value of an option, or with `isFree` any text. Empty means none. */
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly placeholder?: string;
  /** Optional. Accepts text that is no option. */
  readonly isFree?: boolean;
  /** Optional. Receives what is typed, to load other options. */
  readonly onText?: (text: string) => void;
}

/** A text field that suggests options while the user types. */
export function Combobox(props: ComboboxProps) {
  const { label, hint } = props;
  const { api, shown, takeTyped } = useSuggestions(props);
  const hintId = useId();
  return (
    <div {...api.getRootProps()} class="field">
      <label {...api.getLabelProps()}>{label}</label>
      <div {...api.getControlProps()}>
        <input
          {...(api.getInputProps() as object)}
          aria-describedby={hint ? hintId : undefined}
          onBlurCapture={takeTyped}
        />
      </div>
      {api.open && shown.length > 0 && (
        <div {...api.getPositionerProps()} class="floating">
          <ul {...api.getContentProps()} class="menu-items choice-items">
            {shown.map((item) => (
              <li key={item.value} {...api.getItemProps({ item })} class="choice-item">
                <span>
                  {item.label}
                  {item.hint && <span class="hint">{item.hint}</span>}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

function useSuggestions({ options, value, onValue, placeholder, isFree = false, onText }: ComboboxProps) {
  const [text, setText] = useState('');
  const typed = useRef('');
  const chosen = options.find((option) => option.value === value);
  const isWhole = onText !== undefined || text === '' || text === chosen?.label;
  const shown = isWhole ? options : findChoices(options, text);
  const service = useMachine(combobox.machine as combobox.Machine<Choice>, {
    id: useId(),
    collection: combobox.collection({ items: shown }),
    value: value === '' ? [] : [value],
    defaultInputValue: chosen?.label ?? value,
    allowCustomValue: isFree,
    openOnClick: true,
    inputBehavior: 'autohighlight',
    ...(placeholder !== undefined && { placeholder }),
    positioning: { placement: 'bottom-start', strategy: 'fixed', sameWidth: true, gutter: 4 },
    onInputValueChange({ inputValue, reason }) {
      setText(inputValue);
      if (reason === 'input-change') typed.current = inputValue;
      onText?.(inputValue);
      if (isFree) onValue(options.find((one) => one.label === inputValue)?.value ?? inputValue);
      else if (inputValue === '') onValue('');
    },
    onValueChange({ value: [next = ''] }) {
      typed.current = '';
      onValue(next);
    },
  });
  /** The whole name of an option counts as chosen when the field is left. */
  const takeTyped = (): void => {
    const option = options.find((one) => isChoice(one, typed.current));
    typed.current = '';
    if (option && option.value !== value) onValue(option.value);
  };
  return { api: combobox.connect(service, normalizeProps), shown, takeTyped };
}
