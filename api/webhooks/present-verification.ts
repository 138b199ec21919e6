import { probeExpectations, probeNames } from '../../contract/webhooks/probe.ts';
import type { WebhookVerificationBody } from '../../openapi/webhooks/probe-schema.ts';
import type { Candidate, Verification } from '../../db/webhooks/candidates.ts';

const notSent = {
  outcome: 'not_sent',
  durationMs: null,
  status: null,
  found: null,
  responseBody: null,
  error: null,
} as const;

export function presentVerification(verification: Verification | undefined): WebhookVerificationBody | null {
  if (!verification) return null;
  const { createdAt, url, status, failure, probes } = verification;
  return { at: createdAt.toISOString(), url, ok: status === 'committed', failure, probes: presentProbes(probes) };
}

function presentProbes(probes: Candidate['probes']): WebhookVerificationBody['probes'] {
  if (Object.keys(probes).length === 0) return [];
  return probeNames.map((probe) => {
    const { outcome, status, durationMs, found, responseBody, error } = probes[probe] ?? notSent;
    return { probe, outcome, status, durationMs, expected: probeExpectations[probe], found, responseBody, error };
  });
}
