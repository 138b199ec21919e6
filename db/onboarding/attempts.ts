import type { Knex } from 'knex';
import { raw } from 'objection';
import { newOpaqueToken, opaqueTokenHash } from '../core/opaque-tokens.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { type AttemptStatus, OnboardingAttemptModel } from '../models/onboarding.ts';
import type { Columns } from '../core/model.ts';

/**
 * One pass through the platform's consent. The returned state opens the attempt only in the browser that started it,
 * and expires after 15 minutes.
 */
export interface OnboardingAttempt extends Columns<
  OnboardingAttemptModel,
  'id' | 'status' | 'channelId' | 'createdAt'
> {
  readonly linkId: number;
  readonly isExpired: boolean;
  readonly sealedChoice: string | null;
}

export interface AttemptKey {
  readonly tokenSalt: Uint8Array;
  readonly state: string;
  readonly browser: string;
}

const ATTEMPT_MINUTES = 15;

/** Anyone who knows a link can begin: many customers at once, but not a row for each of their clicks for ever. */
export const MAX_OPEN_ATTEMPTS = 1_000;
const DELETED_AT_ONCE = 100;

const stateHash = (salt: Uint8Array, state: string): Buffer => opaqueTokenHash(salt, 'onboarding-state', state);
const browserHash = (salt: Uint8Array, browser: string): Buffer => opaqueTokenHash(salt, 'onboarding-browser', browser);

/** Also deletes all expired choices. Returns undefined if the link has too many attempts that are not connected. */
export async function beginAttempt(
  trx: Knex,
  { linkId, tokenSalt, browser }: { linkId: number; tokenSalt: Uint8Array; browser: string },
): Promise<string | undefined> {
  const expired = OnboardingAttemptModel.query()
    .select('id')
    .whereNotNull('token_encrypted')
    .where('expires_at', '<', raw('now()'))
    .forUpdate()
    .skipLocked(); // Concurrent requests neither wait nor deadlock.
  await OnboardingAttemptModel.query(trx).whereIn('id', expired).patch({ tokenEncrypted: null });
  await trx.raw(abandonedSql, { linkId });
  if (await hasTooMany(trx, linkId)) return undefined;
  const state = newOpaqueToken();
  await OnboardingAttemptModel.query(trx).insert({
    onboardingLinkId: linkId,
    stateHash: stateHash(tokenSalt, state),
    browserHash: browserHash(tokenSalt, browser),
    expiresAt: raw('now() + make_interval(mins => ?)', [ATTEMPT_MINUTES]),
  });
  return state;
}

/** An hour after it has expired, a page no longer has to say so. */
const abandonedSql = `
delete from onboarding_attempts where id in (
  select id from onboarding_attempts
  where onboarding_link_id = :linkId and status <> 'connected' and status = 'begun' and expires_at < now() - interval '1 hour'
  order by expires_at limit ${DELETED_AT_ONCE} for update skip locked)`;

async function hasTooMany(trx: Knex, linkId: number): Promise<boolean> {
  const open = OnboardingAttemptModel.query(trx)
    .where({ onboarding_link_id: linkId })
    .whereNot({ status: 'connected' });
  const [over] = await open
    .whereRaw('expires_at > now()')
    .select('id')
    .offset(MAX_OPEN_ATTEMPTS - 1)
    .limit(1);
  return over !== undefined;
}

/** Returns undefined in any browser but the one that started the attempt. */
export async function findAttempt(
  db: Knex,
  { tokenSalt, state, browser }: AttemptKey,
): Promise<OnboardingAttempt | undefined> {
  return await OnboardingAttemptModel.query(db)
    .select('id', 'onboarding_link_id as link_id', 'status', raw('expires_at <= now() as is_expired'), 'channel_id')
    .select('token_encrypted as sealed_choice', 'created_at')
    .findOne({ state_hash: stateHash(tokenSalt, state), browser_hash: browserHash(tokenSalt, browser) })
    .castTo<OnboardingAttempt | undefined>();
}

/** Of two concurrent moves, one returns false. An expired attempt can only be refused or fail. */
export async function moveAttempt(
  db: Knex,
  id: number,
  { from, to, channelId }: { from: AttemptStatus; to: AttemptStatus; channelId?: number },
): Promise<boolean> {
  const query = OnboardingAttemptModel.query(db)
    .where({ id, status: from })
    .patch({ status: to, tokenEncrypted: null, ...(channelId !== undefined && { channelId }) });
  if (to === 'granted' || to === 'connected') query.where('expires_at', '>', raw('now()'));
  return (await query) === 1;
}

export async function storeChoice(
  db: Knex,
  secretBox: SecretBox,
  { id, choice }: { id: number; choice: string },
): Promise<boolean> {
  const count = await OnboardingAttemptModel.query(db)
    .where({ id, status: 'granted' })
    .patch({ tokenEncrypted: secretBox.seal(choice, sealedContexts.onboardingChoice(String(id))) });
  return count === 1;
}

export function openChoice(secretBox: SecretBox, { id, sealed }: { id: number; sealed: string }): string {
  return secretBox.open(sealed, sealedContexts.onboardingChoice(String(id)));
}
