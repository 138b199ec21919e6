import type { Knex } from 'knex';
import { SHARES_PER_NETWORK } from '../../contract/addresses/classify-address.ts';
import { ASKERS_PER_ADDRESS } from '../../contract/identity/email-code.ts';

/**
 * How many codes may be asked for within an hour. Anybody may ask for a code of any address, so that nobody may use up
 * what its owner needs: the share of an address is each asker's own, and a browser or a client that the address knows is
 * counted apart from strangers. What all of them have it sent is bounded too.
 *
 * Strangers could guess the more, the more codes they get; hence each beyond one asker's share takes a single try.
 */
export interface RegistrationLimits {
  /** For one address, by one client or one known browser. */
  readonly perAddress: number;
  /** By one client, for all addresses; an IPv6 /48 has several clients' shares. */
  readonly perClient: number;
}

/** Who asks for a code of an address. */
export interface Asker {
  readonly email: string;
  readonly clientHash: Buffer;
  /** Stands for the IPv6 /48 of the client; null for IPv4. */
  readonly networkHash: Buffer | null;
  readonly browserHash: Buffer | null;
}

export type Room =
  | { readonly state: 'full'; readonly retryAfterSeconds: number }
  /** Crowded: strangers have had as many codes sent to the address as one asker may. */
  | { readonly state: 'free'; readonly isCrowded: boolean };

/** True for a browser that the address has signed in in, and for a client that has shown a right code of it. */
export async function isKnown(trx: Knex, { email, clientHash, browserHash }: Asker): Promise<boolean> {
  if (browserHash) return true;
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select from email_registrations where email = ? and client_hash = ? and status = 'completed' limit 1`,
    [email, clientHash],
  );
  return rows.length > 0;
}

/** Whether there is room for one more. Holds only under locks on the address, the client and its network. */
export async function roomFor(
  trx: Knex,
  asker: Asker & { readonly known: boolean },
  limits: RegistrationLimits,
): Promise<Room> {
  let retryAfterSeconds = 0;
  for (const share of sharesOf(asker, limits)) {
    retryAfterSeconds = Math.max(retryAfterSeconds, await secondsUntilFree(trx, share));
  }
  if (retryAfterSeconds > 0) return { state: 'full', retryAfterSeconds };
  const oneShare = { ...ofAddress(asker), limit: limits.perAddress };
  return { state: 'free', isCrowded: !asker.known && (await secondsUntilFree(trx, oneShare)) > 0 };
}

/** Registrations that count together. */
interface Counted {
  /** SQL. */
  readonly where: string;
  readonly values: readonly (string | boolean | Buffer)[];
}

type Share = Counted & { readonly limit: number };

const ofAddress = ({ email, known }: Asker & { readonly known: boolean }): Counted => ({
  where: 'email = ? and known = ?',
  values: [email, known],
});

/** A known browser is counted by itself: whoever else is behind its client's address takes nothing from it. */
function sharesOf(
  asker: Asker & { readonly known: boolean },
  { perAddress, perClient }: RegistrationLimits,
): readonly Share[] {
  const { email, clientHash, networkHash, browserHash } = asker;
  const all = { ...ofAddress(asker), limit: perAddress * ASKERS_PER_ADDRESS };
  if (browserHash) {
    return [all, { where: 'email = ? and browser_hash = ?', values: [email, browserHash], limit: perAddress }];
  }
  const byClient = 'client_hash = ? and browser_hash is null';
  return [
    all,
    { where: `email = ? and ${byClient}`, values: [email, clientHash], limit: perAddress },
    { where: byClient, values: [clientHash], limit: perClient },
    ...(networkHash ? [ofNetwork(networkHash, perClient)] : []),
  ];
}

const ofNetwork = (networkHash: Buffer, perClient: number): Share => ({
  where: 'network_hash = ? and browser_hash is null',
  values: [networkHash],
  limit: perClient * SHARES_PER_NETWORK,
});

/** When the oldest registration that counts is an hour old, there is room for one more; 0 where there is room now. */
async function secondsUntilFree(trx: Knex, { where, values, limit }: Share): Promise<number> {
  const { rows } = await trx.raw<{ rows: { seconds: number }[] }>(
    `select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as seconds
     from email_registrations where ${where} and created_at > now() - interval '1 hour'
     order by created_at desc offset ? limit 1`,
    [...values, limit - 1],
  );
  return rows[0] ? Math.max(rows[0].seconds, 1) : 0;
}
