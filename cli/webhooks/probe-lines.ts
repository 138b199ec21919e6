import type { Schema } from '../../client/create-client.ts';

type Probe = Schema<'WebhookProbe'>;

export function probeLines(probes: readonly Probe[]): string[] {
  return probes.flatMap(({ probe, outcome, status, durationMs, expected, found }) => {
    const facts = [
      outcome.replace('_', ' '),
      status !== null && `status ${status}`,
      durationMs !== null && `${durationMs} ms`,
    ];
    const line = `${probe.padEnd('POST'.length)}  ${facts.filter(Boolean).join(', ')}`;
    return found === null ? [line] : [line, `      expected ${expected}`, `      but ${found}`];
  });
}
