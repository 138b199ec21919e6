import type { Knex } from 'knex';
import { raw } from 'objection';
import { SHARES_PER_NETWORK } from '../../contract/addresses/classify-address.ts';
import { ASKERS_PER_ADDRESS } from '../../contract/identity/email-code.ts';
import { EmailRegistrationModel } from '../models/email-registration.ts';

/**
 * Limits the codes that can be requested within an hour. Each client has its own share of an address, and known
 * browsers and clients are counted apart, so strangers can't use up the owner's share. A further limit covers all mails
 * to one address.
 *
 * More codes allow strangers more guesses, so each code beyond the share of one client allows a single try.
 */
export interface RegistrationLimits {
  /** For one address, from one client or one known browser. */
  readonly perAddress: number;
  /** From one client, for all addresses. An IPv6 /48 has the shares of several clients. */
  readonly perClient: number;
}

export interface Requester {
  readonly email: string;
  readonly clientHash: Buffer;
  /** Hash of the client's IPv6 /48; null for IPv4. */
  readonly networkHash: Buffer | null;
  readonly browserHash: Buffer | null;
}

export type ShareCheck =
  | { readonly state: 'full'; readonly retryAfterSeconds: number }
  /** Crowded: strangers have requested as many codes for the address as one client may. */
  | { readonly state: 'free'; readonly isCrowded: boolean };

/** Returns whether this browser or client has completed a code of the address before. */
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

/** Registrations that count together. */
interface Share {
  /** Columns that are equal in all of them; null matches null. */
  readonly of: Readonly<Record<string, string | boolean | Buffer | null>>;
  readonly limit: number;
}

const ofAddress = ({ email, known }: Requester & { readonly known: boolean }) => ({ email, known });

/** A known browser counts by itself, so that others behind the same client address don't use up its share. */
function sharesOf(
  requester: Requester & { readonly known: boolean },
  { perAddress, perClient }: RegistrationLimits,
): readonly Share[] {
  const { email, clientHash, networkHash, browserHash } = requester;
  const all = { of: ofAddress(requester), limit: perAddress * ASKERS_PER_ADDRESS };
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

/** Returns 0 if the share is not used up. */
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
