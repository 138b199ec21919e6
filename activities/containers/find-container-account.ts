import type { Knex } from 'knex';
import { containerWorkflowId } from '../../contract/ids.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import { findChannelAccount } from '../../db/channels/account.ts';
import type { ContainerRecord } from '../../db/containers/records.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { PlatformAccountAccess } from '../../platform/media/media.ts';

export interface ContainerAccountNeeds {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  /** Where calls to the platform are written down; left out where nobody reads it. */
  readonly outbound?: Pick<OutboundLog, 'record'>;
}

/**
 * The account that a container is for, each of whose calls is written down under the container's id: no request waits
 * for them. Undefined where the channel is disconnected.
 */
export async function findContainerAccount(
  { db, secretBox, outbound }: ContainerAccountNeeds,
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
