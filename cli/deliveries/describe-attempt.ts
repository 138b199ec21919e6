import type { Schema } from '../../client/create-client.ts';

export function describeAttempt({ outcome, status, durationMs, error }: Schema<'DeliveryAttempt'>): string {
  const answer = status === null ? outcome.replace('_', ' ') : `${outcome}, HTTP ${status}`;
  return `${answer} in ${durationMs} ms${error === null ? '' : `: ${error}`}`;
}
