import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import type { OnCall } from '../client/call-report.ts';
import type { PlatformClient } from '../client/client.ts';
import { rateLimitOf } from '../client/refusals.ts';

const numbers = z.object({
  data: z.array(z.object({ id: z.string() })),
  paging: z
    .object({ next: z.string().optional(), cursors: z.object({ after: z.string().optional() }).optional() })
    .optional()
    .catch(undefined),
});
/** Pages of numbers that one check reads, over all business accounts. */
const MAX_PAGES = 10;

export interface HealthAccount {
  readonly type: ChannelType;
  readonly resourceId: string;
  readonly token: string;
  /** From the last check. A number does not change its business account. */
  readonly businessAccountId: string | null;
  readonly signal: AbortSignal;
  readonly onCall?: OnCall | undefined;
}

interface Candidates {
  /** What the credential was granted for, which may be other objects, too. */
  readonly ids: readonly string[];
  /** Optional. The only possible one. */
  readonly sure?: string | undefined;
  readonly mayCall: () => boolean;
}

/** Returns the business account of a number, or null if the calls that a check may make do not find it. */
export async function businessAccountOf(
  client: PlatformClient,
  account: HealthAccount,
  { ids, sure, mayCall }: Candidates,
): Promise<string | null> {
  const { type, resourceId, businessAccountId } = account;
  if (type !== 'chatapp') return null;
  if (businessAccountId !== null && ids.includes(businessAccountId)) return businessAccountId;
  if (sure !== undefined) return sure;
  let pageCount = 0;
  for (const id of ids) {
    for (let after: string | undefined = ''; after !== undefined; pageCount++) {
      if (pageCount === MAX_PAGES || !mayCall()) return null;
      const page = await pageOf(client, account, { id, after });
      if (page.ids.includes(resourceId)) return id;
      after = page.after;
    }
  }
  return null;
}

interface NumberPage {
  readonly ids: readonly string[];
  /** Of the next page. */
  readonly after: string | undefined;
}

/** A business account that cannot be read has no numbers: the check does not depend on it. */
async function pageOf(
  client: PlatformClient,
  { token, signal, onCall }: HealthAccount,
  { id, after }: { readonly id: string; readonly after: string },
): Promise<NumberPage> {
  const query = { fields: 'id', limit: '100', ...(after !== '' && { after }) };
  try {
    const { data, paging } = await client.once(numbers, { path: `${id}/phone_numbers`, query, token, signal, onCall });
    return { ids: data.map((number) => number.id), after: paging?.next && paging.cursors?.after };
  } catch (error) {
    if (rateLimitOf(error)) throw error;
    return { ids: [], after: undefined };
  }
}
