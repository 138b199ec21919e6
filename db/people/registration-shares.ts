import type { Knex } from 'knex';
import { raw } from 'objection';
import { SHARES_PER_NETWORK } from '../../contract/addresses/classify-address.ts';
import { REQUESTERS_PER_ADDRESS } from '../../contract/identity/email-code.ts';
import { EmailRegistrationModel } from '../models/email-registration.ts';

/**
 * Limits the codes requested within an hour. Each client has its own share of an address, and known browsers and
 * clients are counted separately, so that strangers cannot use up the owner's share. Beyond the share of one client,
 * each code allows a single try, because more codes would allow more guesses.
 */
export interface RegistrationLimits {
  /** From one client or one known browser. */
  readonly perAddress: number;
  /** For all addresses. An IPv6 /48 has the shares of several clients. */
  readonly perClient: number;
}

export interface Requester {
  readonly email: string;
  readonly clientHash: Buffer;
  readonly networkHash: Buffer | null;
  readonly browserHash: Buffer | null;
}

export type ShareCheck =
  | { readonly state: 'full'; readonly retryAfterSeconds: number }
  /** True if strangers have used up the share of one client. */
  | { readonly state: 'free'; readonly isCrowded: boolean };

export async function isKnown(trx: Knex, { email, clientHash, browserHash }: Requester): Promise<boolean> {
  if (browserHash) return true;
  const completed = await EmailRegistrationModel.query(trx)
    .select('id')
    .findOne({ email, client_hash: clientHash, status: 'completed' });
  return completed !== undefined;
}

/** The caller must hold the locks of the address, the client and its network. */
export async function checkShares(
  trx: Knex,
  requester: Requester & { readonly known: boolean },
  limits: RegistrationLimits,
): Promise<ShareCheck> {
  let retryAfterSeconds = 0;
  for (const share of sharesOf(requester, limits)) {
    retryAfterSeconds = Math.max(retryAfterSeconds, await secondsUntilFree(trx, share));
  }
  if (retryAfterSeconds > 0) return { state: 'full', retryAfterSeconds };
  const oneShare = { of: ofAddress(requester), limit: limits.perAddress };
  return { state: 'free', isCrowded: !requester.known && (await secondsUntilFree(trx, oneShare)) > 0 };
}

interface Share {
  /** Columns by which registrations count together; null matches null. */
  readonly of: Readonly<Record<string, string | boolean | Buffer | null>>;
  readonly limit: number;
}

const ofAddress = ({ email, known }: Requester & { readonly known: boolean }) => ({ email, known });

/** Others behind the same client address do not use up the share of a known browser. */
function sharesOf(
  requester: Requester & { readonly known: boolean },
  { perAddress, perClient }: RegistrationLimits,
): readonly Share[] {
  const { email, clientHash, networkHash, browserHash } = requester;
  const all = { of: ofAddress(requester), limit: perAddress * REQUESTERS_PER_ADDRESS };
  if (browserHash) return [all, { of: { email, browser_hash: browserHash }, limit: perAddress }];
  const byClient = { client_hash: clientHash, browser_hash: null };
  return [
    all,
    { of: { email, ...byClient }, limit: perAddress },
    { of: byClient, limit: perClient },
    ...(networkHash ? [ofNetwork(networkHash, perClient)] : []),
  ];
}

const ofNetwork = (networkHash: Buffer, perClient: number): Share => ({
  of: { network_hash: networkHash, browser_hash: null },
  limit: perClient * SHARES_PER_NETWORK,
});

async function secondsUntilFree(trx: Knex, { of, limit }: Share): Promise<number> {
  const oldest = await EmailRegistrationModel.query(trx)
    .select(secondsLeft)
    .where(of)
    .where('created_at', '>', raw("now() - interval '1 hour'"))
    .orderBy('created_at', 'desc')
    .offset(limit - 1)
    .first()
    .castTo<{ seconds: number } | undefined>();
  return oldest ? Math.max(oldest.seconds, 1) : 0;
}

const secondsLeft = raw("ceil(extract(epoch from created_at + interval '1 hour' - now()))::int").as('seconds');
