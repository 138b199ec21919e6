import { computed, signal } from '@preact/signals';
import { readPreference, savePreference } from './preferences.ts';

export type Theme = 'system' | 'light' | 'dark';
export const themes = ['system', 'light', 'dark'] as const satisfies readonly Theme[];

const system = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(system.matches);
system.addEventListener('change', ({ matches }) => (isSystemDark.value = matches));

const saved = readPreference('theme');
export const theme = signal<Theme>(saved === 'light' || saved === 'dark' ? saved : 'system');

/** What is shown. A canvas redraws when it changes. */
export const colorScheme = computed<'light' | 'dark'>(() => {
  if (theme.value !== 'system') return theme.value;
  return isSystemDark.value ? 'dark' : 'light';
});

/** `theme.js` repeats it before the first paint of the next visit. */
export function chooseTheme(next: Theme): void {
  savePreference('theme', next);
  const { dataset } = document.documentElement;
  if (next === 'system') delete dataset['theme'];
  else dataset['theme'] = next;
  theme.value = next;
}
