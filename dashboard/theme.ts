/** Runs before the first paint, so that a chosen theme does not flash. `session/theme.ts` saves the choice. */
try {
  const theme = localStorage.getItem('dashboard.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
} catch {
  // Without storage, the system decides.
}

export {};
