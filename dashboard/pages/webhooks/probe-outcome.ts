import type { Schema } from '../../../client/create-client.ts';
import { formatDuration } from '../../kit/format/format.ts';
import type { Tone } from '../../kit/tone.ts';

export type Probe = Schema<'WebhookProbe'>;

const outcomes: Readonly<Record<Probe['outcome'], readonly [label: string, tone: Tone]>> = {
  passed: ['passed', 'good'],
  rejected: ['failed', 'bad'],
  no_response: ['no response', 'bad'],
  not_sent: ['not sent', 'neutral'],
};

export interface PresentedProbe {
  readonly probe: Probe['probe'];
  readonly label: string;
  readonly tone: Tone;
  readonly answer: string;
  /** Null unless the probe failed. */
  readonly fault: { readonly expected: string; readonly found: string } | null;
}

export function presentProbe({ probe, outcome, status, durationMs, expected, found }: Probe): PresentedProbe {
  const [label, tone] = outcomes[outcome];
  const after = durationMs === null ? '' : `after ${formatDuration(durationMs)}`;
  return {
    probe,
    label,
    tone,
    answer: [status, after].filter(Boolean).join(' '),
    fault: found === null ? null : { expected: sentence(expected), found: sentence(found) },
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
