import type { Knex } from 'knex';
import { containerWorkflowId } from '../../contract/ids.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import { type ChannelAccount, findChannelAccount } from '../../db/channels/account.ts';
import type { ContainerRecord } from '../../db/containers/records.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import { refuseCredential } from '../../db/channels/refused-credentials.ts';
import type { PlatformAccountAccess, WriteAnswer } from '../../platform/media/media.ts';
import { deadCredentialReason } from '../../platform/oauth/credentials.ts';
import type { Log } from '../../process/log.ts';

export interface ContainerAccountDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly outbound?: Pick<OutboundLog, 'record'>;
}

export type ContainerAccount = PlatformAccountAccess & Pick<ChannelAccount, 'refusedReason'>;

/** Returns undefined if the channel is disconnected. Records the account's calls. */
export async function findContainerAccount(
  { db, secretBox, outbound }: ContainerAccountDeps,
  { container, operation }: { readonly container: ContainerRecord; readonly operation: string },
): Promise<ContainerAccount | undefined> {
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

/** Stops further calls if the platform refused a write because of its credential. */
export async function noteRefusedCredential(
  { db, secretBox, log }: ContainerAccountDeps & { readonly log: Log },
  { container, account, answer }: RefusedWrite,
): Promise<void> {
  const { channelId, channelPublicId } = container;
  if (answer.refusal.kind !== 'credential') return;
  const refused = { secretBox, token: account.token };
  await refuseCredential(db, { of: { channelId }, reason: deadCredentialReason(answer), refused });
  log.warn('channelCredential.refused', { channelId: channelPublicId, code: answer.code, subcode: answer.subcode });
}

interface RefusedWrite {
  readonly container: ContainerRecord;
  readonly account: PlatformAccountAccess;
  readonly answer: Extract<WriteAnswer, { outcome: 'rejected' }>;
}
