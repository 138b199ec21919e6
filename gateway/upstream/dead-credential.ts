import { isDeadCredential } from '../../platform/client/refusals.ts';
import type { RefusalCodes } from '../../platform/forwarding/rewrite-answer.ts';
import type { Log } from '../../process/log.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { ChannelDirectory } from '../calls/deps.ts';

/** Returns whether the error code means an invalid credential, and disconnects the channel if so. */
export async function noteDeadCredential(
  { channels, log }: { readonly channels: ChannelDirectory; readonly log: Log },
  { channel, account, requestId }: ChannelCall,
  { code, subcode, text }: Pick<RefusalCodes, 'code' | 'subcode' | 'text'>,
): Promise<boolean> {
  if (!isDeadCredential({ code, subcode })) return false;
  const reason = `The platform no longer accepts the credential of this channel (code ${text}). Connect it again.`;
  try {
    await channels.disconnect({ channelId: channel.channelId, reason, refusedToken: account.token });
  } catch (error) {
    // The next call or the credential check tries again.
    log.warn('gateway.disconnectFailed', { requestId, channelId: channel.channelPublicId, error });
  }
  return true;
}
