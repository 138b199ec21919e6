import { signal } from '@preact/signals';
import { Icon } from './icon.tsx';

interface Toast {
  readonly key: number;
  readonly text: string;
}

const toasts = signal<readonly Toast[]>([]);
/** Long enough to be read twice; nothing is said only here. */
const SHOWN_MS = 6_000;
let lastKey = 0;

/** Says that something was done. What failed is said where it was asked for, in an ErrorBox. */
export function toast(text: string): void {
  const key = ++lastKey;
  toasts.value = [...toasts.value, { key, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((other) => other.key !== key);
  }, SHOWN_MS);
}

/** Stands in the page from the beginning, so that screen readers hear what comes into it. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ key, text }) => (
        <p key={key} class="toast">
          <Icon name="check" /> {text}
        </p>
      ))}
    </div>
  );
}
