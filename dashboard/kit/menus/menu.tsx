import * as menu from '@zag-js/menu';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { navigate } from '../../routes/router.ts';
import { Icon, type IconName } from '../icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** Items of the tone `danger` stand last, behind a line. */
  readonly tone?: 'danger';
  readonly hint?: string;
  readonly disabled?: boolean | undefined;
  /** Optional. A page to open instead of an action. */
  readonly href?: string;
  readonly onSelect?: () => unknown;
}

interface MenuProps {
  /** Names the button, and is shown unless `trigger` is given. */
  readonly label: string;
  /** Optional. What the button shows instead of the label, such as an icon. */
  readonly trigger?: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly small?: boolean;
  readonly tone?: 'plain' | 'quiet' | 'primary';
}

/** A button with a list of actions. An empty list shows nothing. */
export function Menu({ label, trigger, items, small, tone = 'plain' }: MenuProps) {
  const ordered = [
    ...items.filter((item) => item.tone !== 'danger'),
    ...items.filter((item) => item.tone === 'danger'),
  ];
  const service = useMachine(menu.machine, {
    id: useId(),
    'aria-label': label,
    positioning: { placement: 'bottom-end', strategy: 'fixed', gutter: 4 },
    onSelect: ({ value }) => select(ordered.find((item) => item.label === value)),
  });
  const api = menu.connect(service, normalizeProps);
  if (items.length === 0) return null;
  return (
    <span class="menu">
      <button
        {...api.getTriggerProps()}
        class={`button ${tone}${small ? ' small' : ''}${trigger ? ' icon-only' : ''}`}
        aria-label={trigger ? label : undefined}
        title={trigger ? label : undefined}
      >
        {trigger ?? (
          <>
            {label} <Icon name="down" />
          </>
        )}
      </button>
      {api.open && (
        <div {...api.getPositionerProps()} class="floating">
          <ul {...api.getContentProps()} class="menu-items">
            {ordered.map((item, index) => (
              <Entry key={item.label} item={item} isFirstDangerous={isFirstDangerous(ordered, index)} api={api} />
            ))}
          </ul>
        </div>
      )}
    </span>
  );
}

interface EntryProps {
  readonly item: MenuItem;
  readonly isFirstDangerous: boolean;
  readonly api: menu.Api;
}

function Entry({ item, isFirstDangerous: hasLine, api }: EntryProps) {
  const { label, icon, tone, hint, disabled = false } = item;
  return (
    <li
      {...api.getItemProps({ value: label, disabled })}
      class={['menu-item', tone, hasLine && 'after-line'].filter(Boolean).join(' ')}
    >
      {icon && <Icon name={icon} />}
      <span>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </li>
  );
}

function isFirstDangerous(items: readonly MenuItem[], index: number): boolean {
  return index > 0 && items[index]?.tone === 'danger' && items[index - 1]?.tone !== 'danger';
}

/** Runs after the menu has given the focus back, so that a dialog that opens here keeps it. */
function select(item: MenuItem | undefined): void {
  if (!item) return;
  requestAnimationFrame(() => {
    if (item.href !== undefined) navigate(item.href);
    item.onSelect?.();
  });
}
