import type { HealthReading } from '../../contract/channels/health.ts';
import type { PlatformClient } from '../client/client.ts';
import { PlatformRejected, PlatformUnavailable } from '../client/errors.ts';
import { essentialPageFields, pageFields } from '../client/oauth-vocabulary.ts';
import { rateLimitOf } from '../client/refusals.ts';
import { readSubscription, subscribeTo } from '../oauth/subscriptions.ts';
import type { HealthAccount } from './business-account.ts';

/** A field that was refused is asked for again after this time. */
const REFUSED_MS = 24 * 3_600_000;
/** The oldest entries are dropped first. */
const MAX_KEPT = 10_000;

export interface SubscriptionCheckOptions {
  readonly clientId: string;
  /** Optional. Replaces the fields of Pages; an empty list means the defaults. */
  readonly pageFields?: readonly string[] | undefined;
  readonly nowMs: () => number;
}

interface Check {
  readonly businessAccountId: string | null;
  readonly mayCall: () => boolean;
}

/**
 * Compares the app's subscription with what the service reads, and subscribes again if something is missing: an earlier
 * release may have read less, and the platform ends subscriptions of apps that did not answer.
 */
export function createSubscriptionCheck({ clientId, nowMs, ...options }: SubscriptionCheckOptions) {
  const fields = options.pageFields?.length ? options.pageFields : pageFields;
  const refusals = new Map<string, { readonly fields: readonly string[]; readonly untilMs: number }>();

  function remember(resourceId: string, refused: readonly string[]): void {
    refusals.delete(resourceId);
    if (refused.length > 0) refusals.set(resourceId, { fields: refused, untilMs: nowMs() + REFUSED_MS });
    const [oldest] = refusals.keys();
    if (refusals.size > MAX_KEPT && oldest !== undefined) refusals.delete(oldest);
  }

  async function check(client: PlatformClient, account: HealthAccount, { businessAccountId, mayCall }: Check) {
    const { type, resourceId, token, signal, onCall } = account;
    const isPage = type !== 'chatapp';
    // A Page's token stands for the Page, also where its photo account is the channel.
    const path = isPage ? 'me' : businessAccountId;
    if (path === null || !mayCall()) return null;
    const reported = { path, token, signal, onCall };
    const found = await readSubscription(client, { ...reported, clientId });
    if (!found) return null;
    const wanted = isPage ? fields : [];
    const missing = wanted.filter((field) => !found.fields.includes(field));
    const known = refusals.get(resourceId);
    const isRefused = (field: string): boolean =>
      known !== undefined && known.untilMs > nowMs() && known.fields.includes(field);
    if ((found.isSubscribed && missing.every(isRefused)) || !mayCall()) return shown(found, missing);
    // What someone subscribed to beyond the setting stays subscribed.
    const all = [...new Set([...found.fields, ...wanted])];
    const refused = await subscribeTo(client, { ...reported, fields: isPage ? all : null, mayCall });
    remember(resourceId, refused);
    const accepted = all.filter((field) => !refused.includes(field));
    return shown(
      { isSubscribed: true, fields: accepted },
      wanted.filter((field) => refused.includes(field)),
    );
  }

  /** What is not shown or refused is unknown: the check does not depend on it. */
  return async (...given: Parameters<typeof check>): Promise<HealthReading['subscription']> => {
    try {
      return await check(...given);
    } catch (error) {
      if (rateLimitOf(error) || !(error instanceof PlatformRejected || error instanceof PlatformUnavailable))
        throw error;
      return null;
    }
  };
}

function shown(
  { isSubscribed, fields }: { readonly isSubscribed: boolean; readonly fields: readonly string[] },
  missing: readonly string[],
): HealthReading['subscription'] {
  const isComplete = isSubscribed && !missing.some((field) => essentialPageFields.includes(field));
  return { isSubscribed: isComplete, fields: [...fields].sort(), missing };
}
