import type { Knex } from 'knex';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ChannelModel } from '../models/channel.ts';

export interface ChannelAccount {
  readonly resourceId: string;
  readonly token: string;
  /** Why the platform refuses the token. Null if it takes it. */
  readonly refusedReason: string | null;
}

interface SealedAccount {
  readonly resourceId: string;
  readonly credentialPublicId: string;
  readonly tokenEncrypted: string;
  readonly refusedReason: string | null;
}

/**
 * Returns undefined once the channel has left the given workspace, so that work started there never uses the next one's
 * credential.
 */
export async function findChannelAccount(
  db: Knex,
  secretBox: SecretBox,
  { id, workspaceId }: { readonly id: number; readonly workspaceId?: number },
): Promise<ChannelAccount | undefined> {
  const query = ChannelModel.query(db)
    .joinRelated('credential')
    .select('channels.resource_id', 'credential.public_id as credential_public_id')
    .select('credential.token_encrypted', 'credential.refused_reason')
    .findOne({ 'channels.id': id })
    .whereNull('channels.disconnected_at');
  if (workspaceId !== undefined) query.where({ 'channels.workspace_id': workspaceId });
  const account = await query.castTo<SealedAccount | undefined>();
  if (!account) return undefined;
  const context = sealedContexts.credentialToken(account.credentialPublicId);
  const { resourceId, refusedReason } = account;
  return { resourceId, refusedReason, token: secretBox.open(account.tokenEncrypted, context) };
}
