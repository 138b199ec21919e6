import { signal } from '@preact/signals';
import { Icon, type IconName } from './icon.tsx';

interface Toast {
  readonly key: number;
  readonly text: string;
  readonly icon: IconName;
}

const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
let lastKey = 0;

export function toast(text: string, icon: 'check' | 'warning' = 'check'): void {
  const key = ++lastKey;
  toasts.value = [...toasts.value, { key, text, icon }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((other) => other.key !== key);
  }, SHOWN_MS);
}

/** Always rendered, so that screen readers announce new toasts. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ key, text, icon }) => (
        <p key={key} class="toast">
          <Icon name={icon} /> {text}
        </p>
      ))}
    </div>
  );
}
