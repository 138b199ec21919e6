import type { Schema } from '../../../../client/create-client.ts';
import type { Tone } from '../../../kit/tone.ts';

export type Attempt = Schema<'DeliveryAttempt'>;

export const outcomeTones: Readonly<Record<Attempt['outcome'], Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  no_response: 'bad',
  blocked: 'warn',
};

export function describeOutcome({ outcome, status, error }: Pick<Attempt, 'outcome' | 'status' | 'error'>): string {
  const cut = error === null ? '' : `, body cut off: ${error}`;
  const code = status === null ? '' : ` with ${status}${cut}`;
  switch (outcome) {
    case 'accepted':
      return `Accepted${code}`;
    case 'rejected':
      return `Rejected${code}`;
    case 'no_response':
      return error === null ? 'No response' : `No response: ${error}`;
    case 'blocked':
      return error === null ? 'Not sent' : `Not sent: ${error}`;
  }
}

export function headerLines(headers: Attempt['responseHeaders']): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: string) => [name, one] as const),
  );
}
