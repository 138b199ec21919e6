import type { Knex } from 'knex';
import { newOpaqueToken, opaqueTokenHash } from '../core/opaque-tokens.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

/**
 * One walk of a customer through the platform's consent: `begun` until the platform sends the browser back, `granted`
 * while the accounts are read and chosen from, then `connected`, `refused` or `failed`. Its state is what the platform
 * carries back; it opens the attempt for the browser that began it, moves it on once, and ends after 15 minutes.
 */
export type AttemptStatus = 'begun' | 'granted' | 'connected' | 'refused' | 'failed';

export interface OnboardingAttempt {
  readonly id: number;
  readonly linkId: number;
  readonly status: AttemptStatus;
  readonly isExpired: boolean;
  readonly channelId: number | null;
  readonly sealedChoice: string | null;
  readonly createdAt: Date;
}

/** The two secrets that open an attempt. */
export interface AttemptKey {
  readonly tokenSalt: Uint8Array;
  readonly state: string;
  /** The random value in the browser's cookie. */
  readonly browser: string;
}

const ATTEMPT_MINUTES = 15;

interface AttemptRow {
  id: number;
  onboarding_link_id: number;
  status: AttemptStatus;
  is_expired: boolean;
  channel_id: number | null;
  token_encrypted: string | null;
  created_at: Date;
}

const stateHash = (salt: Uint8Array, state: string): Buffer => opaqueTokenHash(salt, 'onboarding-state', state);
const browserHash = (salt: Uint8Array, browser: string): Buffer => opaqueTokenHash(salt, 'onboarding-browser', browser);

/** Begins an attempt for this browser and returns its state. Choices that nobody made in time are forgotten first. */
export async function beginAttempt(
  trx: Knex,
  { linkId, tokenSalt, browser }: { linkId: number; tokenSalt: Uint8Array; browser: string },
): Promise<string> {
  await trx.raw(
    `update onboarding_attempts set token_encrypted = null where id in (
       select id from onboarding_attempts where token_encrypted is not null and expires_at < now()
       for update skip locked)`, // two that begin at once neither wait for each other nor deadlock
  );
  const state = newOpaqueToken();
  await trx.raw(
    `insert into onboarding_attempts (onboarding_link_id, state_hash, browser_hash, expires_at)
     values (?, ?, ?, now() + make_interval(mins => ?))`,
    [linkId, stateHash(tokenSalt, state), browserHash(tokenSalt, browser), ATTEMPT_MINUTES],
  );
  return state;
}

/** The attempt of this state, where this browser began it. */
export async function findAttempt(
  db: Knex,
  { tokenSalt, state, browser }: AttemptKey,
): Promise<OnboardingAttempt | undefined> {
  const { rows } = await db.raw<{ rows: AttemptRow[] }>(
    `select id, onboarding_link_id, status, expires_at <= now() as is_expired, channel_id, token_encrypted, created_at
     from onboarding_attempts where state_hash = ? and browser_hash = ?`,
    [stateHash(tokenSalt, state), browserHash(tokenSalt, browser)],
  );
  const [row] = rows;
  return (
    row && {
      id: row.id,
      linkId: row.onboarding_link_id,
      status: row.status,
      isExpired: row.is_expired,
      channelId: row.channel_id,
      sealedChoice: row.token_encrypted,
      createdAt: row.created_at,
    }
  );
}

/**
 * Moves an attempt on, once: of two requests with the same state one gets false. What was kept for the choice goes;
 * an attempt that is over its time only ends.
 */
export async function moveAttempt(
  db: Knex,
  id: number,
  { from, to, channelId }: { from: AttemptStatus; to: AttemptStatus; channelId?: number },
): Promise<boolean> {
  const query = db('onboarding_attempts').where({ id, status: from });
  if (to === 'granted' || to === 'connected') query.where('expires_at', '>', db.fn.now());
  const count = await query.update({
    status: to,
    token_encrypted: null,
    ...(channelId !== undefined && { channel_id: channelId }),
  });
  return count === 1;
}

/** Keeps what the customer may choose from, with the platform's tokens, until the choice or the end. */
export async function keepChoice(
  db: Knex,
  secretBox: SecretBox,
  { id, choice }: { id: number; choice: string },
): Promise<boolean> {
  const count = await db('onboarding_attempts')
    .where({ id, status: 'granted' })
    .update({ token_encrypted: secretBox.seal(choice, sealedContexts.onboardingChoice(String(id))) });
  return count === 1;
}

/** What was kept for the choice. */
export function openChoice(secretBox: SecretBox, { id, sealed }: { id: number; sealed: string }): string {
  return secretBox.open(sealed, sealedContexts.onboardingChoice(String(id)));
}
