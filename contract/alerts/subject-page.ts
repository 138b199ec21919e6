import type { AlertSubjectType } from './kinds.ts';

/** What an alert is about, by public ids. */
export interface AlertSubject {
  readonly type: AlertSubjectType;
  readonly id: string | null;
  readonly channelId: string | null;
}

/** Returns the page of the subject in the dashboard, below the page of its workspace. Undefined if it has none. */
export function subjectPage({ type, id, channelId }: AlertSubject): string | undefined {
  if (type === 'replay' && id !== null) return `replays/${id}`;
  if (channelId === null) return undefined;
  if (type === 'container' && id !== null) return `channels/${channelId}/containers/${id}`;
  if (type === 'webhook') return `channels/${channelId}/webhook`;
  if (type === 'subscription') return `channels/${channelId}/subscriptions`;
  return `channels/${channelId}`;
}
