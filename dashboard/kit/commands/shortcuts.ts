import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface Shortcut {
  /** One key ("/", "j", "?") or a sequence ("g d"). `mod+` means ⌘ on a Mac, else Ctrl. */
  readonly keys: string;
  readonly description: string;
  readonly run: () => unknown;
  /** Optional. False hides it from the help and ignores its keys. Default: true. */
  readonly isActive?: boolean;
}

/** Shortcuts of what is on the page, the newest last. */
export const shortcuts = signal<readonly Shortcut[]>([]);
const SEQUENCE_MS = 1_000;

/** Adds a keyboard shortcut while the component is shown. Ignores keys typed into fields and behind dialogs. */
export function useShortcut({ keys, description, run, isActive = true }: Shortcut): void {
  const current = useRef(run);
  current.current = run;
  useEffect(() => {
    if (!isActive) return;
    const shortcut = { keys, description, run: () => current.current() };
    shortcuts.value = [...shortcuts.peek(), shortcut];
    return () => {
      shortcuts.value = shortcuts.peek().filter((other) => other !== shortcut);
    };
  }, [keys, description, isActive]);
}

/** Returns a cleanup function. */
export function startShortcuts(target: Pick<Document, 'addEventListener' | 'removeEventListener'>): () => void {
  let before: { readonly key: string; readonly atMs: number } | undefined;
  const listen = (event: KeyboardEvent): void => {
    const key = keyOf(event);
    if (event.defaultPrevented || key === undefined || !isMeant(event, key)) return;
    const isSequence = before !== undefined && event.timeStamp - before.atMs < SEQUENCE_MS;
    const sequence = isSequence ? `${before?.key} ${key}` : key;
    const found = find(sequence) ?? find(key);
    before = found ? undefined : { key, atMs: event.timeStamp };
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  target.addEventListener('keydown', listen);
  return () => target.removeEventListener('keydown', listen);
}

const find = (keys: string): Shortcut | undefined => shortcuts.peek().findLast((shortcut) => shortcut.keys === keys);

/** Returns undefined for keys that are only held, or held together with others that mean something else. */
function keyOf({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): string | undefined {
  if (altKey || isComposing || ['Control', 'Meta', 'Shift', 'Alt'].includes(key)) return undefined;
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key;
}

/** Fields and dialogs keep their keys, except for combinations such as mod+k in a field. */
function isMeant({ target }: KeyboardEvent, key: string): boolean {
  if (!(target instanceof Element)) return true;
  if (target.closest('[role=dialog],[role=menu],[role=listbox],dialog')) return false;
  return key.startsWith('mod+') || !target.closest('input,textarea,select,[contenteditable]');
}

export function describeKeys(keys: string, isApple: boolean): string {
  return keys
    .replace('mod+', isApple ? '⌘' : 'Ctrl ')
    .replace(/[a-z]$/, (letter) => (keys.includes('mod+') ? letter.toUpperCase() : letter));
}

export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
