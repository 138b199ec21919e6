import { probeExpectations, probeNames } from '../../contract/webhooks/probe.ts';
import type { WebhookProbeBody } from '../../openapi/webhooks/probe-schema.ts';
import type { Candidate } from '../../db/webhooks/candidates.ts';

const notSent = {
  outcome: 'not_sent',
  durationMs: null,
  status: null,
  found: null,
  responseBody: null,
  error: null,
} as const;

export function presentProbes(probes: Candidate['probes']): { probes?: WebhookProbeBody[] } {
  if (Object.keys(probes).length === 0) return {};
  return {
    probes: probeNames.map((probe) => {
      const { outcome, status, durationMs, found, responseBody, error } = probes[probe] ?? notSent;
      return { probe, outcome, status, durationMs, expected: probeExpectations[probe], found, responseBody, error };
    }),
  };
}
