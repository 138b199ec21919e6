import type { LinkReturns } from '../../db/onboarding/link-record.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import type { ApiDeps } from '../requests/deps.ts';

interface ReturnsBody {
  readonly successUrl?: string | null | undefined;
  readonly failureUrl?: string | null | undefined;
  readonly connectedNotificationUrl?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly logoUrl?: string | null | undefined;
  readonly maxUses?: number | null | undefined;
  readonly expiresAt?: string | null | undefined;
}

/** Stores URLs as the parser writes them, so that browsers and pages read them alike. Leaves out missing fields. */
export function linkReturnsOf(deps: ApiDeps, body: ReturnsBody): Partial<LinkReturns> {
  const { successUrl, failureUrl, connectedNotificationUrl, logoUrl, expiresAt, externalId, displayName, maxUses } =
    body;
  const checked = (url: string | null | undefined): string | null | undefined => {
    if (url === undefined || url === null) return url;
    return parseUrl(deps, url);
  };
  const returns = {
    ...{ externalId, displayName, maxUses },
    successUrl: checked(successUrl),
    failureUrl: checked(failureUrl),
    notificationUrl: checked(connectedNotificationUrl),
    logoUrl: checked(logoUrl),
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
  };
  return Object.fromEntries(Object.entries(returns).filter(([, value]) => value !== undefined));
}
