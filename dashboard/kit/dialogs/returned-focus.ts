import { useLayoutEffect, useState } from 'preact/hooks';

/** What had the focus before the first of several dialogs that replace each other. */
let opener: HTMLElement | null = null;

/**
 * Gives the focus back when a dialog is gone: to what opened it, else to what opened the dialog before it, else, as with
 * a deleted row, to the heading of the page. Must come after the machine of the dialog, which guards the focus.
 */
export function useReturnedFocus(): void {
  const [candidates] = useState(findCandidates);
  useLayoutEffect(
    () => () => {
      candidates.find((element) => element?.isConnected)?.focus({ preventScroll: true });
      requestAnimationFrame(keepFocusInPage);
    },
    [],
  );
}

function findCandidates(): readonly (HTMLElement | null)[] {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || active === document.body) return [opener];
  if (active.closest('.dialog')) return [active, opener];
  opener = buttonOfMenu(active) ?? active;
  return [opener];
}

/** An item of a menu is gone after its choice; the menu's button stays. */
function buttonOfMenu(element: HTMLElement): HTMLElement | null {
  const id = element.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return id ? document.getElementById(id) : null;
}

function keepFocusInPage(): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === null) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
}
