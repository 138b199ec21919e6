import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/** The browser traps the focus, closes the dialog on Escape and restores the focus. */
export function Dialog({ title, onClose, isWide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      requestAnimationFrame(keepFocusInPage);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'wide' : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault(); // the parent closes it by no longer rendering it
        onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="copy" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** Focuses the page heading if the element that opened the dialog no longer exists, such as a deleted row. */
function keepFocusInPage(): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === null) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
}
