import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../kit/icon.tsx';

export interface FilterOption {
  readonly value: string;
  readonly label: string;
  /** Optional. In a smaller line below. */
  readonly hint?: string;
}

interface MultiFilterProps {
  readonly label: string;
  readonly options: readonly FilterOption[];
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

const SHOWN_VALUES = 2;

/** A button that shows what is chosen, and opens a list of checkboxes. Escape and a click elsewhere close it. */
export function MultiFilter({ label, options, chosen, onChosen }: MultiFilterProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useClosing(details);
  const labelOf = (value: string): string => options.find((one) => one.value === value)?.label ?? value;
  const all = [...options, ...chosen.filter((value) => !options.some((one) => one.value === value)).map(toOption)];
  const toggle = (value: string): void => {
    onChosen(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  };
  return (
    <details class={chosen.length > 0 ? 'multi-filter chosen' : 'multi-filter'} ref={details}>
      <summary class="button">
        {label}
        {chosen.length > 0 && <strong>{shownValues(chosen.map(labelOf))}</strong>}
        <Icon name="down" />
      </summary>
      <fieldset class="multi-options">
        <legend class="hidden">{label}</legend>
        {all.map(({ value, label: words, hint }) => (
          <label key={value} class="choice-line">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span>
              {words}
              {hint !== undefined && <small>{hint}</small>}
            </span>
          </label>
        ))}
        {all.length === 0 && <p class="soft">Nothing to choose.</p>}
        {chosen.length > 0 && (
          <button type="button" class="button quiet small" onClick={() => onChosen([])}>
            Clear {label.toLowerCase()}
          </button>
        )}
      </fieldset>
    </details>
  );
}

const toOption = (value: string): FilterOption => ({ value, label: value });

function shownValues(words: readonly string[]): string {
  const more = words.length - SHOWN_VALUES;
  const shown = words.slice(0, SHOWN_VALUES).join(', ');
  return more > 0 ? `${shown} +${more}` : shown;
}

/** For menus made of `<details>`. */
export function useClosing(details: { readonly current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const close = ({ target }: Event): void => {
      const { current } = details;
      if (current?.open && !(target instanceof Node && current.contains(target))) current.open = false;
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      const { current } = details;
      if (key !== 'Escape' || !current?.open) return;
      current.open = false;
      current.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
}
