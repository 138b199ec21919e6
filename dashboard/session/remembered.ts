/** What this browser remembers between visits. It may refuse to: then everybody begins at the first of each list. */
const PREFIX = 'dashboard.';

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // A convenience only.
  }
}
