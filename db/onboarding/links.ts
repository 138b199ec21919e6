import type { Knex } from 'knex';
import { raw } from 'objection';
import { type Columns, insertWithFreshId, type PageAfter } from '../core/model.ts';
import { newOpaqueToken, opaqueTokenHash } from '../core/opaque-tokens.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { freshSecret } from '../core/signing-secrets.ts';
import { type LinkReturns, linkSql, type OnboardingLink, type ShownLink, shownLinkSql } from './link-record.ts';
import { OnboardingAttemptModel, OnboardingLinkModel } from '../models/onboarding.ts';

export interface TokenKeys {
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
}

export interface NewOnboardingLink
  extends
    Partial<LinkReturns>,
    Columns<OnboardingLinkModel, 'organizationId' | 'workspaceId' | 'label' | 'channelType' | 'createdBy'> {}

const tokenHash = (salt: Uint8Array, token: string): Buffer => opaqueTokenHash(salt, 'onboarding-link', token);

/** A hash that matches no browser. */
const NO_BROWSER = Buffer.alloc(32);

export async function insertOnboardingLink(
  db: Knex,
  { secretBox, tokenSalt }: TokenKeys,
  link: NewOnboardingLink,
): Promise<string> {
  const token = newOpaqueToken();
  const { publicId } = await insertWithFreshId(db, OnboardingLinkModel, {
    kind: 'onboardingLink',
    values: (fresh) => ({
      ...link,
      notificationSecretEncrypted: link.notificationUrl ? newNotificationSecret(secretBox, fresh) : null,
      tokenHash: tokenHash(tokenSalt, token),
      tokenEncrypted: secretBox.seal(token, sealedContexts.onboardingToken(fresh)),
    }),
  });
  return publicId;
}

export function linkToken(secretBox: SecretBox, { publicId, sealedToken }: OnboardingLink): string {
  return secretBox.open(sealedToken, sealedContexts.onboardingToken(publicId));
}

function newNotificationSecret(secretBox: SecretBox, publicId: string): string {
  return secretBox.seal(freshSecret(), sealedContexts.onboardingNotificationSecret(publicId));
}

export interface LinkKey {
  readonly organizationId: number;
  readonly publicId: string;
}

/** Includes revoked links. */
export async function findOnboardingLink(db: Knex, key: LinkKey): Promise<ShownLink | undefined> {
  const { organizationId, publicId } = key;
  const [link] = await queryRows<ShownLink>(
    db,
    `${shownLinkSql} where l.organization_id = :organizationId and l.public_id = :publicId`,
    { organizationId, publicId },
  );
  return link;
}

/** Returns undefined for a revoked link, a replaced token or a deleted workspace. */
export async function findLinkByToken(
  db: Knex,
  { tokenSalt, token }: { tokenSalt: Uint8Array; token: string },
): Promise<OnboardingLink | undefined> {
  const [link] = await queryRows<OnboardingLink>(db, `${linkSql} where ${liveSql} and l.token_hash = :hash`, {
    hash: tokenHash(tokenSalt, token),
  });
  return link;
}

/**
 * Locks the link, so that an operation through it happens before a revocation or a new token, or not at all. A link that
 * has expired or is used up is live: its finished attempts are still shown.
 */
export async function lockLiveLink(
  trx: Knex,
  id: number,
  { how = 'share' }: { readonly how?: 'share' | 'no key update' } = {},
): Promise<OnboardingLink | undefined> {
  const sql = `${linkSql} where ${liveSql} and l.id = :id for ${how} of l`;
  const [link] = await queryRows<OnboardingLink>(trx, sql, { id });
  return link;
}

/** Requires the lock `no key update`, under which the caller has seen that a use is left. */
export async function countUse(trx: Knex, id: number): Promise<void> {
  await OnboardingLinkModel.query(trx)
    .findById(id)
    .patch({ useCount: raw('use_count + 1') });
}

const liveSql = 'l.revoked_at is null and (l.workspace_id is null or w.deleted_at is null)';

export async function listOnboardingLinks(
  db: Knex,
  { organizationId, after, limit }: PageAfter & { readonly organizationId: number },
): Promise<ShownLink[] | undefined> {
  const last = after === undefined ? null : await findOnboardingLink(db, { organizationId, publicId: after });
  if (last === undefined) return undefined;
  return await queryRows<ShownLink>(
    db,
    `${shownLinkSql}
     where l.organization_id = :organizationId and (cast(:last as bigint) is null or l.id < cast(:last as bigint))
     order by l.id desc limit :limit`,
    { organizationId, last: last?.id ?? null, limit },
  );
}

/** Also finds links that have ended. No customer connects through the link until the transaction ends. */
export async function lockUnrevokedLink(trx: Knex, key: LinkKey): Promise<OnboardingLink | undefined> {
  const [link] = await queryRows<OnboardingLink>(
    trx,
    `${linkSql} where l.organization_id = :organizationId and l.public_id = :publicId and l.revoked_at is null
     for no key update of l`,
    { ...key },
  );
  return link;
}

export interface LinkChange extends Partial<LinkReturns> {
  readonly label?: string | undefined;
  readonly workspaceId?: number | null | undefined;
}

/** Returns false if the organization has no such live link. A new address keeps the secret; none deletes it. */
export async function changeOnboardingLink(
  trx: Knex,
  secretBox: SecretBox,
  { key, change }: { readonly key: LinkKey; readonly change: LinkChange },
): Promise<boolean> {
  const { notificationUrl } = change;
  const fresh = notificationUrl ? newNotificationSecret(secretBox, key.publicId) : null;
  const count = await unrevoked(trx, key).patch({
    ...(change as Partial<OnboardingLinkModel>),
    ...(notificationUrl !== undefined && {
      notificationSecretEncrypted: fresh === null ? null : raw('coalesce(notification_secret_encrypted, ?)', [fresh]),
    }),
    updatedAt: raw('now()'),
  });
  return count === 1;
}

/** Also ends attempts in progress. Returns false as `changeOnboardingLink` does. */
export async function revokeOnboardingLink(trx: Knex, key: LinkKey): Promise<boolean> {
  const [link] = await unrevoked(trx, key)
    .patch({ revokedAt: raw('now()'), updatedAt: raw('now()') })
    .returning('id');
  if (!link) return false;
  await stopAttempts(trx, link.id);
  return true;
}

/**
 * Also ends attempts in progress. No browser opens earlier attempts, because their pages lead back to the link's
 * address.
 */
export async function regenerateOnboardingLink(trx: Knex, keys: TokenKeys, key: LinkKey): Promise<boolean> {
  const token = newOpaqueToken();
  const [link] = await unrevoked(trx, key)
    .patch({
      tokenHash: tokenHash(keys.tokenSalt, token),
      tokenEncrypted: keys.secretBox.seal(token, sealedContexts.onboardingToken(key.publicId)),
      updatedAt: raw('now()'),
    })
    .returning('id');
  if (!link) return false;
  await stopAttempts(trx, link.id);
  await OnboardingAttemptModel.query(trx).where({ onboarding_link_id: link.id }).patch({ browserHash: NO_BROWSER });
  return true;
}

function unrevoked(trx: Knex, { organizationId, publicId }: LinkKey) {
  return OnboardingLinkModel.query(trx)
    .where({ organization_id: organizationId, public_id: publicId })
    .whereNull('revoked_at');
}

async function stopAttempts(trx: Knex, linkId: number): Promise<void> {
  await OnboardingAttemptModel.query(trx)
    .where({ onboarding_link_id: linkId })
    .whereIn('status', ['begun', 'granted'])
    .patch({ status: 'failed', tokenEncrypted: null });
}
