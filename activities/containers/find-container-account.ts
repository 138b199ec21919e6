import type { Knex } from 'knex';
import { containerWorkflowId } from '../../contract/ids.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import { findChannelAccount } from '../../db/channels/account.ts';
import type { ContainerRecord } from '../../db/containers/records.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { PlatformAccountAccess } from '../../platform/media/media.ts';

export interface ContainerAccountDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly outbound?: Pick<OutboundLog, 'record'>;
}

/** Returns undefined if the channel is disconnected. Records the account's calls. */
export async function findContainerAccount(
  { db, secretBox, outbound }: ContainerAccountDeps,
  { container, operation }: { readonly container: ContainerRecord; readonly operation: string },
): Promise<PlatformAccountAccess | undefined> {
  const { channelId, workspaceId, publicId } = container;
  const account = await findChannelAccount(db, secretBox, { id: channelId, workspaceId });
  if (!account || !outbound) return account;
  const caller = containerWorkflowId(publicId);
  return {
    ...account,
    onCall: (report) =>
      outbound.record({ ...report, channelId, workspaceId, via: 'workflow', caller, operation, requestId: publicId }),
  };
}
