import { type AccountClient, type ActingAccount, createAccountClient, createClients } from './account-client.ts';
import { z } from 'zod';
import type { PlatformClient } from '../client/client.ts';
import { PlatformRejected, PlatformUnavailable } from '../client/errors.ts';
import { everyItem } from '../client/every-item.ts';
import { accountsOfBusinesses } from '../oauth/businesses.ts';
import { grantsAnswer, idText, ownTargetsOf, targetsOf, unlessRefused } from '../oauth/grants.ts';

export interface PlatformOperationsOptions {
  readonly apiUrl: string;
  readonly clientId: string;
  readonly appSecret: string;
  readonly timeoutMs?: number;
}

export interface PlatformOperations {
  actFor(account: ActingAccount): AccountClient;
  close(): Promise<void>;
}

export function createPlatformOperations(needs: PlatformOperationsOptions): PlatformOperations {
  const { clientId, ...options } = needs;
  const clients = createClients(options);
  const findBusinessId = createBusinessIds({
    client: clients.of('chatapp'),
    appToken: `${clientId}|${options.appSecret}`,
  });
  return {
    actFor(account) {
      const client = clients.of(account.type);
      return createAccountClient({ client, account, apiUrl: options.apiUrl, findBusinessId });
    },
    close: () => clients.close(),
  };
}

/** The oldest entries are dropped first. */
const MAX_KEPT = 10_000;
const numberId = z.object({ id: idText });

/**
 * Finds the business account that owns a number's templates, among those granted to the credential. Cached, because a
 * number does not change its business account.
 */
function createBusinessIds({ client, appToken }: { readonly client: PlatformClient; readonly appToken: string }) {
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
  const { data } = await client.read(grantsAnswer, { path: 'debug_token', query, ...reported }).catch(appRefusal);
  const own = ownTargetsOf(data, 'chatapp');
  if (own.length === 1) return own[0];
  const call = { query: { fields: 'id' }, item: numberId, token, ...reported };
  const holds = async (businessId: string): Promise<boolean> => {
    const held = await unlessRefused(everyItem(client, { path: `${businessId}/phone_numbers`, ...call }));
    return held?.some(({ id }) => id === resourceId) ?? false;
  };
  const targets = targetsOf(data, 'chatapp');
  for (const businessId of targets) if (await holds(businessId)) return businessId;
  const walked = await accountsOfBusinesses(client, { grants: data, type: 'chatapp', ...call });
  for (const { id } of walked) if (!targets.includes(id) && (await holds(id))) return id;
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
