import { UsageError } from './options.ts';

/** Limits the lifetime of forgotten keys. */
export const DEFAULT_STAFF_KEY_DAYS = 90;
const MAX_STAFF_KEY_DAYS = 3_650;
const DAY_MS = 86_400_000;

export function staffKeyExpiry(days = String(DEFAULT_STAFF_KEY_DAYS)): Date | null {
  if (days === 'never') return null;
  const count = /^\d{1,4}$/.test(days) ? Number(days) : 0;
  if (count < 1 || count > MAX_STAFF_KEY_DAYS) {
    throw new UsageError(`Invalid --expires-in-days '${days}'. Use 1 to ${MAX_STAFF_KEY_DAYS}, or never.`);
  }
  return new Date(Date.now() + count * DAY_MS);
}
