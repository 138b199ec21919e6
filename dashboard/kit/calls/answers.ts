import { QueryClient } from '@tanstack/preact-query';

const FRESH_MS = 5_000;
const UNUSED_MS = 120_000;

/**
 * Keeps answers of the API while the page is open. An error is shown at once, because the user sees a button to try
 * again. A page that comes back into view reads again what is older than a few seconds.
 */
export const answers = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: FRESH_MS, gcTime: UNUSED_MS, refetchOnMount: 'always' },
  },
});

/** Drops everything, so that the next person at this browser finds nothing of the last one. */
export function forgetAnswers(): void {
  answers.clear();
}
