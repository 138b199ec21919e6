import { Icon } from '../icon.tsx';
import { Button } from '../parts.tsx';
import { ChoiceList } from './choice-list.tsx';
import type { Choice } from './find-choices.ts';
import { Popover } from './popover.tsx';

interface MultiSelectProps<Value extends string> {
  /** The subject, such as "Status". The button shows it with the chosen values. */
  readonly label: string;
  readonly options: readonly (Choice & { readonly value: Value })[];
  readonly values: readonly Value[];
  readonly onValues: (values: readonly Value[]) => void;
}

const MAX_SHOWN = 2;
/** Fewer options are seen at a glance. */
const MIN_SEARCHABLE = 8;

/** A filter button, such as "Status: failed, exhausted", with a list of options. No value means no filter. */
export function MultiSelect<Value extends string>({ label, options, values, onValues }: MultiSelectProps<Value>) {
  const chosen = options.filter(({ value }) => values.includes(value));
  return (
    <Popover
      label={label}
      isActive={chosen.length > 0}
      trigger={
        <>
          {label}
          {chosen.length > 0 && <span class="chosen-values">: {describeChoice(chosen)}</span>} <Icon name="down" />
        </>
      }
    >
      {() => (
        <>
          <ChoiceList
            label={label}
            items={options}
            placeholder={`Search ${label.toLocaleLowerCase()}`}
            isSearchable={options.length >= MIN_SEARCHABLE}
            values={values}
            onValues={(next) => onValues(options.map(({ value }) => value).filter((value) => next.includes(value)))}
            render={(option, isChosen) => (
              <>
                <span class={isChosen ? 'tick chosen-tick' : 'tick'}>{isChosen && <Icon name="check" />}</span>
                <span>
                  {option.label}
                  {option.hint && <span class="hint">{option.hint}</span>}
                </span>
              </>
            )}
          />
          <div class="popover-foot">
            <Button small tone="quiet" disabled={chosen.length === 0} onClick={() => onValues([])}>
              Clear
            </Button>
          </div>
        </>
      )}
    </Popover>
  );
}

/** Names at most two values and counts the others. */
function describeChoice(chosen: readonly Choice[]): string {
  const named = chosen.slice(0, MAX_SHOWN).map(({ label }) => label);
  const more = chosen.length - named.length;
  return named.join(', ') + (more > 0 ? ` +${more}` : '');
}
