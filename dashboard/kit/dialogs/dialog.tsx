import * as dialog from '@zag-js/dialog';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentChildren } from 'preact';
import { createPortal } from 'preact/compat';
import { useId } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { useReturnedFocus } from './returned-focus.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** A list of commands: without a visible title, closed by a click elsewhere. */
  readonly isPalette?: boolean;
  readonly children: ComponentChildren;
}

/** Open while it is rendered. It keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, isWide, isPalette = false, children }: DialogProps) {
  const id = useId();
  const contentId = `${id}-content`;
  const service = useMachine(dialog.machine, {
    id,
    ids: { content: contentId },
    open: true,
    restoreFocus: false,
    closeOnInteractOutside: isPalette,
    initialFocusEl: () => firstFocus(document.getElementById(contentId)),
    onOpenChange: () => onClose(),
  });
  const api = dialog.connect(service, normalizeProps);
  useReturnedFocus();
  return createPortal(
    <>
      <div {...api.getBackdropProps()} class="dialog-backdrop" />
      <div {...api.getPositionerProps()} class="dialog-place">
        <div
          {...api.getContentProps()}
          class={['dialog', isWide && 'wide', isPalette && 'palette'].filter(Boolean).join(' ')}
        >
          <header class={isPalette ? 'hidden' : undefined}>
            <h2 {...api.getTitleProps()}>{title}</h2>
            {!isPalette && (
              <button {...api.getCloseTriggerProps()} class="copy" aria-label="Close">
                <Icon name="cross" />
              </button>
            )}
          </header>
          {children}
        </div>
      </div>
    </>,
    document.body,
  );
}

/** A field that took the focus keeps it; else the first field, else the dialog itself, so that Enter does nothing yet. */
function firstFocus(content: HTMLElement | null): HTMLElement | null {
  if (!content) return null;
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && content.contains(activeElement)) return activeElement;
  return content.querySelector<HTMLElement>('input:not(:disabled),select,textarea') ?? content;
}
