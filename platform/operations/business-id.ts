import { z } from 'zod';
import type { PlatformClient } from '../client/client.ts';
import { PlatformRejected, PlatformUnavailable } from '../client/errors.ts';
import { chatappAccountScope } from '../client/oauth-vocabulary.ts';
import type { ActingAccount } from './account-client.ts';

/** The oldest entries are dropped first. */
const MAX_KEPT = 10_000;
const digits = z.string().regex(/^\d{1,40}$/);
const granted = z.object({
  data: z.object({
    granular_scopes: z.array(z.object({ scope: z.string(), target_ids: z.array(digits).optional() })).optional(),
  }),
});
const numbers = z.object({ data: z.array(z.object({ id: digits })) });

/**
 * Finds the business account that owns a number's templates, among those granted to the credential. Cached, because a
 * number does not change its business account.
 */
export function createBusinessIds({
  client,
  appToken,
}: {
  readonly client: PlatformClient;
  readonly appToken: string;
}) {
  const known = new Map<string, string>();

  return async (account: ActingAccount): Promise<string> => {
    const kept = known.get(account.resourceId);
    if (kept !== undefined) return kept;
    const found = await findBusiness(client, { account, appToken });
    if (found === undefined) throw notGranted();
    known.set(account.resourceId, found);
    const [oldest] = known.keys();
    if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
    return found;
  };
}

async function findBusiness(
  client: PlatformClient,
  { account, appToken }: { readonly account: ActingAccount; readonly appToken: string },
): Promise<string | undefined> {
  const { token, onCall, resourceId, signal } = account;
  const reported = { onCall, ...(signal && { signal }) };
  const query = { input_token: token, access_token: appToken };
  const { data } = await client.read(granted, { path: 'debug_token', query, ...reported }).catch(appRefusal);
  const targets = (data.granular_scopes ?? []).filter(({ scope }) => scope === chatappAccountScope);
  const businessIds = [...new Set(targets.flatMap(({ target_ids }) => target_ids ?? []))];
  if (businessIds.length === 1) return businessIds[0];
  for (const businessId of businessIds) {
    const path = `${businessId}/phone_numbers`;
    const query = { fields: 'id', limit: '100' };
    const { data: held } = await client.read(numbers, { path, query, token, ...reported });
    if (held.some(({ id }) => id === resourceId)) return businessId;
  }
  return undefined;
}

/** A refusal of the app's own call says nothing about the account's credential. */
function appRefusal(error: unknown): never {
  if (!(error instanceof PlatformRejected)) throw error;
  throw new PlatformUnavailable('The platform does not show what the credential was granted for', { cause: error });
}

function notGranted(): PlatformRejected {
  const text = 'The credential was granted for no business account that has this number.';
  return new PlatformRejected({ status: 403, code: null, subcode: null, isTransient: false, text });
}
