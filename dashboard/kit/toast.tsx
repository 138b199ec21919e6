import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLazy } from './use-lazy.ts';

type ToastIcon = 'check' | 'warning';

const isWanted = signal(false);
const loadRegion = () => import('./toast-region.tsx');

export function toast(text: string, icon: ToastIcon = 'check'): void {
  isWanted.value = true;
  // Offline, the change is done without a word.
  loadRegion().then(
    ({ showToast }) => showToast(text, icon),
    () => undefined,
  );
}

/** After the first page, which loads at the same time otherwise. */
const LOADED_AFTER_MS = 2_000;

/** Loads the region before a toast needs it, because screen readers announce only what a known region gets. */
export function Toasts() {
  useEffect(() => {
    const timer = setTimeout(() => (isWanted.value = true), LOADED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const Region = useLazy(isWanted.value, async () => (await loadRegion()).ToastRegion);
  return Region ? <Region /> : null;
}
