import * as popover from '@zag-js/popover';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface PopoverProps {
  /** Names the popover and its button. */
  readonly label: string;
  readonly trigger: ComponentChildren;
  readonly small?: boolean;
  readonly tone?: 'plain' | 'quiet';
  readonly isActive?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a small panel beside it. Escape and a click elsewhere close it. */
export function Popover({ label, trigger, small, tone = 'plain', isActive, children }: PopoverProps) {
  const service = useMachine(popover.machine, {
    id: useId(),
    positioning: { placement: 'bottom-start', strategy: 'fixed', gutter: 4 },
  });
  const api = popover.connect(service, normalizeProps);
  return (
    <span class="popover">
      <button {...api.getTriggerProps()} class={`button ${tone}${small ? ' small' : ''}${isActive ? ' active' : ''}`}>
        {trigger}
      </button>
      {api.open && (
        <div {...api.getPositionerProps()} class="floating">
          <div {...api.getContentProps()} aria-label={label} aria-labelledby={undefined} class="popover-panel">
            {children(() => api.setOpen(false))}
          </div>
        </div>
      )}
    </span>
  );
}
