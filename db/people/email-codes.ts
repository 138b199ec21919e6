import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import { MAX_WRONG_CODES, type RegistrationPurpose } from '../../contract/identity/email-code.ts';
import { queryRows } from '../core/query-rows.ts';
import type { SigningKey, SigningRing } from '../core/signing-keys.ts';
import { EmailRegistrationModel } from '../models/email-registration.ts';
import type { Columns } from '../core/model.ts';

export interface CodeReceiver extends Columns<EmailRegistrationModel, 'publicId' | 'email' | 'purpose' | 'scopes'> {
  readonly windowMs: number;
}

/** Stores a keyed hash bound to this registration. Returns undefined unless it is open. */
export async function setCode(
  db: Knex,
  { id, code, key }: { id: number; code: string; key: SigningKey },
): Promise<CodeReceiver | undefined> {
  const [receiver] = await queryRows<CodeReceiver>(
    db,
    `update email_registrations set code_hash = :codeHash, code_key_id = :keyId
     where id = :id and status = 'open' and expires_at > now()
     returning public_id as "publicId", email, purpose, scopes,
       (extract(epoch from expires_at - created_at) * 1000)::int as "windowMs"`,
    { id, codeHash: hashCode(key.bytes, { id, code }), keyId: key.keyId },
  );
  return receiver;
}

export type Registration = Columns<EmailRegistrationModel, 'id' | 'publicId' | 'email' | 'scopes' | 'organizationId'>;

export interface CodeTry {
  readonly purpose: RegistrationPurpose;
  readonly publicId: string;
  readonly otp: string;
  readonly signingRing: SigningRing;
}

export type Completion =
  | { readonly state: 'completed'; readonly registration: Registration }
  | { readonly state: 'invalid'; readonly triesLeft: number }
  | { readonly state: 'locked'; readonly now: boolean; readonly retryAfterSeconds: number }
  | { readonly state: 'expired' }
  | { readonly state: 'unknown' };

/** The transaction must commit after a wrong code too, or the try would not count. */
export async function completeRegistration(trx: Knex.Transaction, attempt: CodeTry): Promise<Completion> {
  const { publicId, purpose } = attempt;
  const tried = await EmailRegistrationModel.query(trx)
    .select(
      'id',
      'email',
      'scopes',
      'organization_id',
      'status',
      'code_hash',
      'code_key_id',
      'wrong_count',
      secondsLeft,
    )
    .findOne({ public_id: publicId, purpose })
    .forUpdate()
    .castTo<TriedRegistration | undefined>();
  if (!tried) return { state: 'unknown' };
  if (tried.secondsLeft <= 0) return { state: 'expired' };
  if (tried.status === 'locked') return { state: 'locked', now: false, retryAfterSeconds: tried.secondsLeft };
  if (tried.status !== 'open') return { state: 'expired' };
  if (!isCode(tried, attempt)) return await countWrong(trx, tried);
  const { id, email, scopes, organizationId } = tried;
  await EmailRegistrationModel.query(trx).patch({ status: 'completed' }).where({ id, status: 'open' });
  return { state: 'completed', registration: { id, publicId, email, scopes, organizationId } };
}

type TriedRegistration = EmailRegistrationModel & { readonly secondsLeft: number };

/** Not `now()`: the transaction may have waited for the row's lock. */
const secondsLeft = raw('ceil(extract(epoch from expires_at - clock_timestamp()))::int').as('secondsLeft');

async function countWrong(
  trx: Knex,
  { id, wrongCount: before, secondsLeft: retryAfterSeconds }: TriedRegistration,
): Promise<Completion> {
  const wrongCount = before + 1;
  const isLocked = wrongCount >= MAX_WRONG_CODES;
  await EmailRegistrationModel.query(trx)
    .patch({ wrongCount, status: isLocked ? 'locked' : 'open' })
    .where({ id, status: 'open', wrong_count: before });
  if (isLocked) return { state: 'locked', now: true, retryAfterSeconds };
  return { state: 'invalid', triesLeft: MAX_WRONG_CODES - wrongCount };
}

/** Also false if the ring no longer has the code's key. */
function isCode({ id, codeHash, codeKeyId }: TriedRegistration, { otp, signingRing }: CodeTry): boolean {
  const key = codeKeyId === null ? undefined : signingRing.find('email-code', codeKeyId);
  return !!key && !!codeHash && timingSafeEqual(codeHash, hashCode(key.bytes, { id, code: otp }));
}

/** The key is not in the database: with it, a hash reveals six digits in seconds. */
function hashCode(key: Uint8Array, { id, code }: { id: number; code: string }): Buffer {
  return createHmac('sha256', key).update(`email-code/${id}/${code}`).digest();
}
