import type { ChannelRecord } from '../../db/channels/records.ts';
import { Conflict } from './errors.ts';

/** Returns why the platform can't be called for a channel, and what to do. Undefined if it can. */
export function uncallable(
  channel: Pick<ChannelRecord, 'connected' | 'credentialRefusedReason'>,
): Conflict | undefined {
  const { connected, credentialRefusedReason: reason } = channel;
  if (!connected) return disconnected();
  return reason === null ? undefined : credentialRefused(reason);
}

export function disconnected(): Conflict {
  return new Conflict('CHANNEL_DISCONNECTED', 'The channel is disconnected. Connect it again first.');
}

export function credentialRefused(reason: string): Conflict {
  return new Conflict('CREDENTIAL_REFUSED', reason);
}
