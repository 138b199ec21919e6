import { type Loaded, useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import type { ScheduledMessage } from './scheduled-message-status.ts';

/** Reads a message with its content. */
export function useScheduledMessage(ch: string, sm: string): Loaded<ScheduledMessage> {
  return useLoad(() => api.get('/channels/{ch}/scheduled-messages/{sm}', { params: { path: { ch, sm } } }), [ch, sm]);
}
