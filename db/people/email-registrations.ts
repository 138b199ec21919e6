import type { Knex } from 'knex';
import { MAX_WRONG_CODES, type RegistrationPurpose } from '../../contract/identity/email-code.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { isKnown, type RegistrationLimits, roomFor } from './registration-shares.ts';

/**
 * Registrations: an address that was sent a code, and what the code is for. `open` until the right code completes it,
 * the fifth wrong one locks it, or its window ends it. Every step is one conditional statement on the row under its
 * lock, so that tries count right over any number of processes and over their restarts.
 */
export type RegistrationStatus = 'open' | 'completed' | 'locked' | 'expired';

export interface NewRegistration {
  readonly purpose: RegistrationPurpose;
  /** In lower case. */
  readonly email: string;
  /** What an agent asks for; null when somebody signs in. None at all: it asked for an organization that there is not. */
  readonly scopes: readonly Scope[] | null;
  readonly organizationId: number | null;
  /** Stands for the client's address, which is not kept. */
  readonly clientHash: Buffer;
  /** Stands for the IPv6 /48 that the client is in; null for IPv4. */
  readonly networkHash: Buffer | null;
  /** Stands for the browser, where this address has signed in in it before; null for any other caller. */
  readonly browserHash: Buffer | null;
  readonly windowMs: number;
  readonly limits: RegistrationLimits;
}

export interface OpenedRegistration {
  readonly state: 'opened';
  readonly id: number;
  readonly publicId: string;
  readonly expiresAt: Date;
}

export type Opening = OpenedRegistration | { readonly state: 'limited'; readonly retryAfterSeconds: number };

/** First half of the names of three families of advisory locks; arbitrary, but unlike any other's. */
const EMAIL_LOCK = 70_211;
const CLIENT_LOCK = 70_212;
const NETWORK_LOCK = 70_213;

/**
 * Opens a registration, unless a share of this hour is used up. Counting and inserting are one under locks on the
 * address, the client and its network, taken in this order everywhere, so that a burst can't slip through in between.
 */
export async function openRegistration(db: Knex, registration: NewRegistration): Promise<Opening> {
  return await db.transaction(async (trx) => {
    const { email, clientHash, networkHash, limits } = registration;
    await trx.raw('select pg_advisory_xact_lock(?, hashtext(?))', [EMAIL_LOCK, email]);
    await trx.raw('select pg_advisory_xact_lock(?, hashtext(?))', [CLIENT_LOCK, clientHash.toString('base64')]);
    if (networkHash) {
      await trx.raw('select pg_advisory_xact_lock(?, hashtext(?))', [NETWORK_LOCK, networkHash.toString('base64')]);
    }
    const known = await isKnown(trx, registration);
    const room = await roomFor(trx, { ...registration, known }, limits);
    if (room.state === 'full') return { state: 'limited', retryAfterSeconds: room.retryAfterSeconds };
    return await insertRegistration(trx, {
      ...registration,
      known,
      wrongCount: room.isCrowded ? MAX_WRONG_CODES - 1 : 0,
    });
  });
}

type CountedRegistration = NewRegistration & { readonly known: boolean; readonly wrongCount: number };

async function insertRegistration(trx: Knex, registration: CountedRegistration): Promise<OpenedRegistration> {
  const { purpose, email, scopes, organizationId, windowMs } = registration;
  const { clientHash, networkHash, browserHash, known, wrongCount } = registration;
  return await withFreshId('registration', async (publicId) => {
    const { rows } = await trx.raw<{ rows: { id: number; expires_at: Date }[] }>(
      `insert into email_registrations
         (public_id, purpose, email, scopes, organization_id, client_hash, network_hash, browser_hash, known, wrong_count,
          expires_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, now() + ? * interval '1 millisecond')
       on conflict (public_id) do nothing returning id, expires_at`,
      [
        ...[publicId, purpose, email, scopes && [...scopes], organizationId],
        ...[clientHash, networkHash, browserHash, known, wrongCount, windowMs],
      ],
    );
    return rows[0] && { state: 'opened', id: rows[0].id, publicId, expiresAt: rows[0].expires_at };
  });
}

/** Takes back a registration whose code was certainly never sent: it does not count against anybody. */
export async function withdrawRegistration(db: Knex, { id }: { id: number }): Promise<void> {
  await db('email_registrations').where({ id, status: 'open' }).whereNull('code_hash').delete();
}

/** Ends a registration that is open still; answers how it has ended, undefined where there is none. */
export async function expireRegistration(db: Knex, { id }: { id: number }): Promise<RegistrationStatus | undefined> {
  await db('email_registrations').where({ id, status: 'open' }).update({ status: 'expired' });
  const row = await db<{ id: number; status: RegistrationStatus }>('email_registrations').where({ id }).first('status');
  return row?.status;
}
