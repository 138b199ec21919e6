import * as listbox from '@zag-js/listbox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Choice, matchesChoice } from './find-choices.ts';

interface ChoiceListProps<Item extends Choice> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly placeholder: string;
  readonly values?: readonly string[];
  readonly onValues?: (values: readonly string[]) => void;
  /** Optional. Is called with a single choice, instead of `onValues`. */
  readonly onChoose?: (item: Item) => void;
  /** Optional. Filters elsewhere, such as in the API. */
  readonly onText?: (text: string) => void;
  readonly isSearchable?: boolean;
  readonly empty?: ComponentChildren;
  readonly render: (item: Item, isChosen: boolean) => ComponentChildren;
}

/** A search field over a list of options: typing filters, arrow keys move, Enter chooses. */
export function ChoiceList<Item extends Choice>(props: ChoiceListProps<Item>) {
  const { label, items, placeholder, values, isSearchable = true, empty, render } = props;
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const found = props.onText ? items : items.filter((item) => matchesChoice(item, text));
  const api = useList(props, { found, text });
  const search = (next: string): void => {
    setText(next);
    props.onText?.(next);
  };
  return (
    <div {...api.getRootProps()} class="choice-list">
      <span {...api.getLabelProps()} class="hidden">
        {label}
      </span>
      {isSearchable && (
        <input
          ref={input}
          {...(api.getInputProps({ autoHighlight: true }) as object)}
          {...({ role: 'combobox', 'aria-expanded': true } as object)}
          aria-label={placeholder}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => search(currentTarget.value)}
        />
      )}
      <ul {...api.getContentProps()} tabIndex={isSearchable ? -1 : 0} class="choice-items">
        {found.map((item) => (
          <li key={item.value} {...api.getItemProps({ item, highlightOnHover: true })} class="choice-item">
            {render(item, values?.includes(item.value) ?? false)}
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p class="hint" role="status">
          {empty ?? 'Nothing matches.'}
        </p>
      )}
    </div>
  );
}

interface Shown<Item> {
  readonly found: readonly Item[];
  readonly text: string;
}

function useList<Item extends Choice>(
  { values, onValues, onChoose }: ChoiceListProps<Item>,
  { found, text }: Shown<Item>,
) {
  const service = useMachine(listbox.machine as listbox.Machine<Item>, {
    id: useId(),
    collection: listbox.collection({ items: found }),
    selectionMode: onValues ? 'multiple' : 'single',
    value: [...(values ?? [])],
    onValueChange: ({ value }) => onValues?.(value),
    onSelect({ value }) {
      const item = found.find((one) => one.value === value);
      if (item) onChoose?.(item);
    },
  });
  const api = listbox.connect(service, normalizeProps);
  useEffect(() => {
    if (text !== '' || onChoose) api.highlightFirst();
  }, [text, found.length]);
  return api;
}
