import type { ChannelType } from '../../contract/event-types.ts';
import { findChannelAccount } from '../../db/channels/account.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import type { AccountClient } from '../../platform/operations/account-client.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict } from '../requests/errors.ts';
import { credentialRefused, disconnected } from '../requests/uncallable.ts';
import type { CallProgress } from '../requests/direct-calls.ts';
import { platformFailure } from './platform-failure.ts';
import type { Principal } from '../requests/state.ts';

export interface PlatformAct<Answer> {
  readonly channel: ChannelRecord;
  readonly principal: Principal;
  readonly requestId: string;
  readonly callerRequestId: string | null;
  readonly operationId: string;
  /** What the client must check if the outcome is unknown. */
  readonly check: string;
  readonly progress: CallProgress;
  readonly act: (client: AccountClient) => Promise<Answer>;
}

export async function callPlatform<Answer>(deps: ApiDeps, platformAct: PlatformAct<Answer>): Promise<Answer> {
  const { channel, principal, requestId, callerRequestId, operationId, check, progress, act } = platformAct;
  const account = await findChannelAccount(deps.db, deps.secretBox, channel);
  if (!account) throw disconnected();
  if (account.refusedReason !== null) throw credentialRefused(account.refusedReason);
  const client = deps.platform.actFor({
    ...account,
    ...progress,
    type: channel.type,
    onCall: (report) =>
      deps.outbound.record({
        ...report,
        channelId: channel.id,
        workspaceId: channel.workspaceId,
        via: 'api',
        caller: principal.credentialId,
        operation: operationId,
        requestId,
        callerRequestId,
      }),
  });
  try {
    return await act(client);
  } catch (error) {
    throw await platformFailure(deps, error, { channel, token: account.token, check });
  }
}

export function requireType({ type }: ChannelRecord, types: readonly ChannelType[]): void {
  if (types.includes(type)) return;
  throw new Conflict('CHANNEL_TYPE_MISMATCH', `This is for ${types.join(' and ')} channels; this one is ${type}.`);
}
