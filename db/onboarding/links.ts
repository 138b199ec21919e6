import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { newOpaqueToken, opaqueTokenHash } from '../core/opaque-tokens.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

export interface OnboardingLink {
  readonly id: number;
  readonly publicId: string;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly workspaceId: number | null;
  readonly workspacePublicId: string | null;
  readonly label: string;
  readonly channelType: ChannelType;
  /** Opens with `linkToken`. */
  readonly sealedToken: string;
  readonly revoked: boolean;
  readonly createdAt: Date;
}

/** What tokens are made and found with. */
export interface TokenKeys {
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
}

export interface NewOnboardingLink {
  readonly organizationId: number;
  readonly workspaceId: number | null;
  readonly label: string;
  readonly channelType: ChannelType;
  readonly createdBy: number;
}

interface LinkRow {
  id: number;
  public_id: string;
  organization_id: number;
  organization_name: string;
  workspace_id: number | null;
  workspace_public_id: string | null;
  label: string;
  channel_type: ChannelType;
  token_encrypted: string;
  revoked_at: Date | null;
  created_at: Date;
}

const linkSql = `
select l.id, l.public_id, l.organization_id, o.name as organization_name, l.workspace_id,
  w.public_id as workspace_public_id, l.label, l.channel_type, l.token_encrypted, l.revoked_at, l.created_at
from onboarding_links l
join organizations o on o.id = l.organization_id
left join workspaces w on w.id = l.workspace_id`;

const tokenHash = (salt: Uint8Array, token: string): Buffer => opaqueTokenHash(salt, 'onboarding-link', token);

/** The hash of no browser's value. */
const NO_BROWSER = Buffer.alloc(32);

/** Makes a link and returns its public id. */
export async function insertOnboardingLink(db: Knex, keys: TokenKeys, link: NewOnboardingLink): Promise<string> {
  const token = newOpaqueToken();
  return await withFreshId('onboardingLink', async (publicId) => {
    const { rows } = await db.raw<{ rows: { public_id: string }[] }>(
      `insert into onboarding_links
         (public_id, organization_id, workspace_id, label, channel_type, token_hash, token_encrypted, created_by)
       values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (public_id) do nothing returning public_id`,
      [
        publicId,
        link.organizationId,
        link.workspaceId,
        link.label,
        link.channelType,
        tokenHash(keys.tokenSalt, token),
        keys.secretBox.seal(token, sealedContexts.onboardingToken(publicId)),
        link.createdBy,
      ],
    );
    return rows[0]?.public_id;
  });
}

/** The token that stands in the link's address. */
export function linkToken(secretBox: SecretBox, { publicId, sealedToken }: OnboardingLink): string {
  return secretBox.open(sealedToken, sealedContexts.onboardingToken(publicId));
}

export interface LinkKey {
  readonly organizationId: number;
  readonly publicId: string;
}

/** A link of the organization, revoked ones too. */
export async function findOnboardingLink(
  db: Knex,
  { organizationId, publicId }: LinkKey,
): Promise<OnboardingLink | undefined> {
  const { rows } = await db.raw<{ rows: LinkRow[] }>(`${linkSql} where l.organization_id = ? and l.public_id = ?`, [
    organizationId,
    publicId,
  ]);
  return rows[0] && fromRow(rows[0]);
}

/** The link that a customer has opened; undefined when it is revoked, regenerated, or its workspace is gone. */
export async function findLinkByToken(
  db: Knex,
  { tokenSalt, token }: { tokenSalt: Uint8Array; token: string },
): Promise<OnboardingLink | undefined> {
  const { rows } = await db.raw<{ rows: LinkRow[] }>(`${linkSql} where ${liveSql} and l.token_hash = ?`, [
    tokenHash(tokenSalt, token),
  ]);
  return rows[0] && fromRow(rows[0]);
}

/**
 * A link that is not revoked, locked against changes until the transaction ends: what is done through it happens
 * before it is revoked or regenerated, or not at all.
 */
export async function lockLiveLink(trx: Knex, id: number): Promise<OnboardingLink | undefined> {
  const { rows } = await trx.raw<{ rows: LinkRow[] }>(`${linkSql} where ${liveSql} and l.id = ? for share of l`, [id]);
  return rows[0] && fromRow(rows[0]);
}

const liveSql = 'l.revoked_at is null and (l.workspace_id is null or w.deleted_at is null)';

export interface LinkPage {
  readonly organizationId: number;
  /** Public id of the last link on the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The organization's links, newest first; undefined when `after` names none of them. */
export async function listOnboardingLinks(db: Knex, page: LinkPage): Promise<OnboardingLink[] | undefined> {
  const { organizationId, after, limit } = page;
  const last = after === undefined ? null : await findOnboardingLink(db, { organizationId, publicId: after });
  if (last === undefined) return undefined;
  const { rows } = await db.raw<{ rows: LinkRow[] }>(
    `${linkSql} where l.organization_id = :organizationId and (cast(:last as bigint) is null or l.id < cast(:last as bigint))
     order by l.id desc limit :limit`,
    { organizationId, last: last?.id ?? null, limit },
  );
  return rows.map(fromRow);
}

/** Changes what is given; false when the link is revoked or not the organization's. */
export async function changeOnboardingLink(
  trx: Knex,
  { organizationId, publicId }: LinkKey,
  change: { readonly label?: string | undefined; readonly workspaceId?: number | null | undefined },
): Promise<boolean> {
  const count = await trx('onboarding_links')
    .where({ organization_id: organizationId, public_id: publicId })
    .whereNull('revoked_at')
    .update({
      ...(change.label !== undefined && { label: change.label }),
      ...(change.workspaceId !== undefined && { workspace_id: change.workspaceId }),
      updated_at: trx.fn.now(),
    });
  return count === 1;
}

/** Revokes a link and stops who is under way; false when it was revoked before, or is not the organization's. */
export async function revokeOnboardingLink(trx: Knex, key: LinkKey): Promise<boolean> {
  const rows: { id: number }[] = await trx('onboarding_links')
    .where({ organization_id: key.organizationId, public_id: key.publicId })
    .whereNull('revoked_at')
    .update({ revoked_at: trx.fn.now(), updated_at: trx.fn.now() })
    .returning('id');
  if (!rows[0]) return false;
  await stopAttempts(trx, rows[0].id);
  return true;
}

/**
 * Gives the link a new token and stops who is under way with the old one; false as for revoking. Attempts of before
 * open for no browser any more: their pages lead back to the link's address, which only the old one was given for.
 */
export async function regenerateOnboardingLink(trx: Knex, keys: TokenKeys, key: LinkKey): Promise<boolean> {
  const token = newOpaqueToken();
  const rows: { id: number }[] = await trx('onboarding_links')
    .where({ organization_id: key.organizationId, public_id: key.publicId })
    .whereNull('revoked_at')
    .update({
      token_hash: tokenHash(keys.tokenSalt, token),
      token_encrypted: keys.secretBox.seal(token, sealedContexts.onboardingToken(key.publicId)),
      updated_at: trx.fn.now(),
    })
    .returning('id');
  if (!rows[0]) return false;
  await stopAttempts(trx, rows[0].id);
  await trx('onboarding_attempts').where({ onboarding_link_id: rows[0].id }).update({ browser_hash: NO_BROWSER });
  return true;
}

async function stopAttempts(trx: Knex, linkId: number): Promise<void> {
  await trx('onboarding_attempts')
    .where({ onboarding_link_id: linkId })
    .whereIn('status', ['begun', 'granted'])
    .update({ status: 'failed', token_encrypted: null });
}

function fromRow(row: LinkRow): OnboardingLink {
  return {
    id: row.id,
    publicId: row.public_id,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    workspaceId: row.workspace_id,
    workspacePublicId: row.workspace_public_id,
    label: row.label,
    channelType: row.channel_type,
    sealedToken: row.token_encrypted,
    revoked: row.revoked_at !== null,
    createdAt: row.created_at,
  };
}
