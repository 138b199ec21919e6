import { isDeadCredential } from '../../platform/client/refusals.ts';
import type { RefusalCodes } from '../../platform/forwarding/rewrite-answer.ts';
import { deadCredentialReason } from '../../platform/oauth/credentials.ts';
import type { Log } from '../../process/log.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { ChannelDirectory } from '../calls/deps.ts';

/**
 * Returns why the credential is invalid, if the error code means that, and stops further calls. The channel still receives
 * its events.
 */
export async function noteDeadCredential(
  { channels, log }: { readonly channels: ChannelDirectory; readonly log: Log },
  { channel, account, requestId }: ChannelCall,
  { code, subcode }: Pick<RefusalCodes, 'code' | 'subcode'>,
): Promise<string | undefined> {
  if (!isDeadCredential({ code, subcode })) return undefined;
  const reason = deadCredentialReason({ code, subcode });
  try {
    await channels.refuseCredential({ channelId: channel.channelId, reason, refusedToken: account.token });
  } catch (error) {
    // The next call or the health check tries again.
    log.warn('gateway.refuseFailed', { requestId, channelId: channel.channelPublicId, error });
  }
  return reason;
}
