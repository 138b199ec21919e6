import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { MAX_WRONG_CODES, type RegistrationPurpose } from '../../contract/identity/email-code.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { RegistrationStatus } from './email-registrations.ts';
import type { SigningKey, SigningRing } from '../core/signing-keys.ts';

/** Whom a code is to be sent to. */
export interface CodeReceiver {
  readonly publicId: string;
  readonly email: string;
  readonly purpose: RegistrationPurpose;
  readonly scopes: readonly Scope[] | null;
  readonly windowMs: number;
}

/**
 * Puts a code in place of whichever was there; undefined where the registration is no longer open. Only a keyed hash
 * is kept, bound to this registration, and the name of its key.
 */
export async function setCode(
  db: Knex,
  { id, code, key }: { id: number; code: string; key: SigningKey },
): Promise<CodeReceiver | undefined> {
  const { rows } = await db.raw<{
    rows: {
      public_id: string;
      email: string;
      purpose: RegistrationPurpose;
      scopes: Scope[] | null;
      window_ms: number;
    }[];
  }>(
    `update email_registrations set code_hash = ?, code_key_id = ? where id = ? and status = 'open' and expires_at > now()
     returning public_id, email, purpose, scopes, (extract(epoch from expires_at - created_at) * 1000)::int as window_ms`,
    [hashCode(key.bytes, { id, code }), key.keyId, id],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { public_id: publicId, email, purpose, scopes, window_ms: windowMs } = row;
  return { publicId, email, purpose, scopes, windowMs };
}

export interface Registration {
  readonly id: number;
  readonly publicId: string;
  readonly email: string;
  readonly scopes: readonly Scope[] | null;
  readonly organizationId: number | null;
}

export interface CodeTry {
  readonly purpose: RegistrationPurpose;
  readonly publicId: string;
  readonly otp: string;
  readonly signingRing: SigningRing;
}

export type Completion =
  | { readonly state: 'completed'; readonly registration: Registration }
  | { readonly state: 'invalid'; readonly triesLeft: number }
  /** `now`: it was this very code that locked it. */
  | { readonly state: 'locked'; readonly now: boolean; readonly retryAfterSeconds: number }
  | { readonly state: 'expired' }
  | { readonly state: 'unknown' };

interface TriedRow {
  id: number;
  email: string;
  scopes: Scope[] | null;
  organization_id: number | null;
  status: RegistrationStatus;
  code_hash: Buffer | null;
  code_key_id: string | null;
  wrong_count: number;
  seconds_left: number;
}

/**
 * Tries a code. Runs in the transaction of what the right code brings about; that transaction must commit when the
 * code was wrong too, or the try would not have counted.
 */
export async function completeRegistration(trx: Knex.Transaction, attempt: CodeTry): Promise<Completion> {
  const { rows } = await trx.raw<{ rows: TriedRow[] }>(
    // The clock, not the transaction's beginning: the lock may have been waited for.
    `select id, email, scopes, organization_id, status, code_hash, code_key_id, wrong_count,
       ceil(extract(epoch from expires_at - clock_timestamp()))::int as seconds_left
     from email_registrations where public_id = ? and purpose = ? for update`,
    [attempt.publicId, attempt.purpose],
  );
  const [row] = rows;
  if (!row) return { state: 'unknown' };
  if (row.seconds_left <= 0) return { state: 'expired' };
  if (row.status === 'locked') return { state: 'locked', now: false, retryAfterSeconds: row.seconds_left };
  if (row.status !== 'open') return { state: 'expired' };
  if (!isCode(row, attempt)) return await countWrong(trx, row);
  await trx('email_registrations').where({ id: row.id, status: 'open' }).update({ status: 'completed' });
  const { id, email, scopes, organization_id: organizationId } = row;
  return { state: 'completed', registration: { id, publicId: attempt.publicId, email, scopes, organizationId } };
}

async function countWrong(trx: Knex, { id, wrong_count: before, seconds_left }: TriedRow): Promise<Completion> {
  const wrongCount = before + 1;
  const isLocked = wrongCount >= MAX_WRONG_CODES;
  await trx('email_registrations')
    .where({ id, status: 'open', wrong_count: before })
    .update({ wrong_count: wrongCount, status: isLocked ? 'locked' : 'open' });
  if (isLocked) return { state: 'locked', now: true, retryAfterSeconds: seconds_left };
  return { state: 'invalid', triesLeft: MAX_WRONG_CODES - wrongCount };
}

/**
 * A code that is not out yet is guessed like any other: the try counts. So is one whose key the ring no longer has, or
 * that was hashed before codes had keys.
 */
function isCode(row: TriedRow, { otp, signingRing }: CodeTry): boolean {
  const key = row.code_key_id === null ? undefined : signingRing.find('email-code', row.code_key_id);
  return !!key && !!row.code_hash && timingSafeEqual(row.code_hash, hashCode(key.bytes, { id: row.id, code: otp }));
}

/** Keyed outside of the database: six digits are tried in seconds by anyone who has both the hash and the key. */
function hashCode(key: Uint8Array, { id, code }: { id: number; code: string }): Buffer {
  return createHmac('sha256', key).update(`email-code/${id}/${code}`).digest();
}
