import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A question that comes before everything else; open for as long as it is rendered. The browser keeps the focus in it,
 * closes it by Escape, and gives the focus back to where it came from.
 */
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
        event.preventDefault(); // the owner stops rendering it
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

/** Where what had opened the dialog is gone, say a row that was deleted, the page's heading takes the focus. */
function keepFocusInPage(): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === null) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
}
