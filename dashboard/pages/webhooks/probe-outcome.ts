import type { Schema } from '../../../client/create-client.ts';
import type { Tone } from '../../kit/tone.ts';
import { durationText } from '../../kit/texts/duration-text.ts';

export type Probe = Schema<'WebhookProbe'>;

const outcomes: Readonly<Record<Probe['outcome'], readonly [words: string, tone: Tone]>> = {
  passed: ['passed', 'good'],
  rejected: ['failed', 'bad'],
  no_response: ['no answer', 'bad'],
  not_sent: ['not sent', 'neutral'],
};

export interface ShownProbe {
  readonly probe: Probe['probe'];
  readonly words: string;
  readonly tone: Tone;
  /** What came and when; empty for one that was not sent. */
  readonly answer: string;
  /** What it asked for and what came instead, where it failed. */
  readonly fault: { readonly expected: string; readonly found: string } | null;
}

/** What came of a probe, in words. */
export function shownProbe({ probe, outcome, status, durationMs, expected, found }: Probe): ShownProbe {
  const [words, tone] = outcomes[outcome];
  const after = durationMs === null ? '' : `after ${durationText(durationMs)}`;
  return {
    ...{ probe, words, tone },
    answer: [status, after].filter(Boolean).join(' '),
    fault: found === null ? null : { expected: sentence(expected), found: sentence(found) },
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
