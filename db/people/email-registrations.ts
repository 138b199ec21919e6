import type { Knex } from 'knex';
import { raw } from 'objection';
import { MAX_WRONG_CODES, type RegistrationPurpose } from '../../contract/identity/email-code.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import { insertWithFreshId } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { EmailRegistrationModel } from '../models/email-registration.ts';
import { isKnown, type RegistrationLimits, checkShares } from './registration-shares.ts';

/**
 * A registration is `open` until the right code completes it, the fifth wrong code locks it, or it expires. Each
 * transition is one conditional statement under the row's lock.
 */
export type RegistrationStatus = EmailRegistrationModel['status'];

export interface NewRegistration {
  readonly purpose: RegistrationPurpose;
  /** In lower case. */
  readonly email: string;
  /** Null for a sign-in; empty for an unknown organization. */
  readonly scopes: readonly Scope[] | null;
  readonly organizationId: number | null;
  /** The address itself is not stored. */
  readonly clientHash: Buffer;
  /** Of the client's IPv6 /48; null for IPv4. */
  readonly networkHash: Buffer | null;
  /** Null unless the address has signed in from this browser. */
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

/** Arbitrary first keys of three families of advisory locks. */
const EMAIL_LOCK = 70_211;
const CLIENT_LOCK = 70_212;
const NETWORK_LOCK = 70_213;

/** All callers lock the address, the client and its network, in this order. */
export async function openRegistration(db: Knex, registration: NewRegistration): Promise<Opening> {
  return await db.transaction(async (trx) => {
    const { email, clientHash, networkHash, limits } = registration;
    await lock(trx, EMAIL_LOCK, email);
    await lock(trx, CLIENT_LOCK, clientHash.toString('base64'));
    if (networkHash) await lock(trx, NETWORK_LOCK, networkHash.toString('base64'));
    const known = await isKnown(trx, registration);
    const check = await checkShares(trx, { ...registration, known }, limits);
    if (check.state === 'full') return { state: 'limited', retryAfterSeconds: check.retryAfterSeconds };
    return await insertRegistration(trx, {
      ...registration,
      known,
      wrongCount: check.isCrowded ? MAX_WRONG_CODES - 1 : 0,
    });
  });
}

async function lock(trx: Knex, family: number, name: string): Promise<void> {
  await queryRows(trx, 'select pg_advisory_xact_lock(:family, hashtext(:name))', { family, name });
}

type CountedRegistration = NewRegistration & { readonly known: boolean; readonly wrongCount: number };

async function insertRegistration(trx: Knex, registration: CountedRegistration): Promise<OpenedRegistration> {
  const { purpose, email, scopes, organizationId, windowMs } = registration;
  const { clientHash, networkHash, browserHash, known, wrongCount } = registration;
  const { id, publicId, expiresAt } = await insertWithFreshId(trx, EmailRegistrationModel, {
    kind: 'registration',
    values: {
      ...{ purpose, email, scopes, organizationId },
      ...{ clientHash, networkHash, browserHash, known, wrongCount },
      expiresAt: raw("now() + ? * interval '1 millisecond'", windowMs),
    },
  });
  return { state: 'opened', id, publicId, expiresAt };
}

/** Call only if the code was never sent. */
export async function withdrawRegistration(db: Knex, { id }: { id: number }): Promise<void> {
  await EmailRegistrationModel.query(db).delete().where({ id, status: 'open', code_hash: null });
}

export async function expireRegistration(db: Knex, { id }: { id: number }): Promise<RegistrationStatus | undefined> {
  await EmailRegistrationModel.query(db).patch({ status: 'expired' }).where({ id, status: 'open' });
  const registration = await EmailRegistrationModel.query(db).select('status').findById(id);
  return registration?.status;
}
