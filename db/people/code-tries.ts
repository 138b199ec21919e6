import type { Knex } from 'knex';
import { MAX_WRONG_CODES, type RegistrationPurpose } from '../../contract/identity/email-code.ts';

/**
 * Bounds wrong mail codes over all registrations of the installation, because an attacker is content with any account.
 * A try is counted before its code is compared, and given back unless the code was wrong: so a burst over many
 * connections compares no more codes than the bound allows. Browsers that the address knows are not counted; their
 * mark is good for that one address.
 */
export interface TriedRegistration {
  readonly purpose: RegistrationPurpose;
  readonly publicId: string;
}

/** Whose share is used up: one client address, one IPv6 /48, or all together. */
export type TryBound = 'client' | 'network' | 'installation';

export type CountedTry =
  /** The id is null if the try does not count: a known browser, or no code that could be compared. */
  | { readonly state: 'counted'; readonly id: number | null }
  | { readonly state: 'limited'; readonly bound: TryBound; readonly retryAfterSeconds: number };

/** Names the advisory lock that counting takes; arbitrary, but unlike any other's. */
const TRIES_LOCK = 70_214;

/** One address never uses up what everyone has together; several addresses are needed for that. */
const CLIENT_SHARE = 1 / 4;
const NETWORK_SHARE = 1 / 2;

interface Guesser {
  readonly client_hash: Buffer;
  readonly network_hash: Buffer | null;
}

/** Counts a try, unless a bound on wrong codes in the last hour is reached. */
export async function countTry(db: Knex, attempt: TriedRegistration, wrongPerHour: number): Promise<CountedTry> {
  const guesser = await findGuesser(db, attempt);
  if (!guesser) return { state: 'counted', id: null };
  return await db.transaction(async (trx): Promise<CountedTry> => {
    await trx.raw('select pg_advisory_xact_lock(?)', [TRIES_LOCK]);
    await trx.raw("delete from code_tries where tried_at <= clock_timestamp() - interval '1 hour'");
    for (const { bound, where, values, limit } of boundsOf(guesser, wrongPerHour)) {
      const retryAfterSeconds = await secondsUntilFree(trx, { where, values, limit });
      if (retryAfterSeconds > 0) return { state: 'limited', bound, retryAfterSeconds };
    }
    const { rows } = await trx.raw<{ rows: { id: number }[] }>(
      'insert into code_tries (client_hash, network_hash, tried_at) values (?, ?, clock_timestamp()) returning id',
      [guesser.client_hash, guesser.network_hash],
    );
    return { state: 'counted', id: rows[0]!.id };
  });
}

/** Gives a try back whose code was not wrong; without effect for one that did not count. */
export async function returnTry(trx: Knex, id: number | null): Promise<void> {
  if (id !== null) await trx('code_tries').where({ id }).delete();
}

/** Who asked for a code that could be compared now, in a browser that the address does not know. */
async function findGuesser(db: Knex, { purpose, publicId }: TriedRegistration): Promise<Guesser | undefined> {
  const { rows } = await db.raw<{ rows: Guesser[] }>(
    `select client_hash, network_hash from email_registrations
     where public_id = ? and purpose = ? and status = 'open' and expires_at > now() and browser_hash is null`,
    [publicId, purpose],
  );
  return rows[0];
}

interface Share {
  /** SQL. */
  readonly where: string;
  readonly values: readonly Buffer[];
  readonly limit: number;
}

function boundsOf({ client_hash, network_hash }: Guesser, wrongPerHour: number) {
  // Everybody has the tries of one registration at least.
  const share = (part: number) => Math.max(MAX_WRONG_CODES, Math.floor(wrongPerHour * part));
  const bounds: (Share & { readonly bound: TryBound })[] = [
    { bound: 'installation', where: 'true', values: [], limit: wrongPerHour },
    { bound: 'client', where: 'client_hash = ?', values: [client_hash], limit: share(CLIENT_SHARE) },
  ];
  if (network_hash) {
    bounds.push({ bound: 'network', where: 'network_hash = ?', values: [network_hash], limit: share(NETWORK_SHARE) });
  }
  return bounds;
}

/** When the oldest try that counts is an hour old, there is room for one more; 0 where there is room now. */
async function secondsUntilFree(trx: Knex, { where, values, limit }: Share): Promise<number> {
  const { rows } = await trx.raw<{ rows: { seconds: number }[] }>(
    `select ceil(extract(epoch from tried_at + interval '1 hour' - clock_timestamp()))::int as seconds
     from code_tries where ${where} order by tried_at desc offset ? limit 1`,
    [...values, limit - 1],
  );
  return rows[0] ? Math.max(rows[0].seconds, 1) : 0;
}
