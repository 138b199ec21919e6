import { probeExpectations, probeNames } from '../../contract/webhooks/probe.ts';
import type { Candidate, Verification } from '../../db/webhooks/candidates.ts';

const notSent = {
  outcome: 'not_sent',
  durationMs: null,
  status: null,
  found: null,
  responseBody: null,
  error: null,
} as const;

export function presentVerification(verification: Verification | undefined) {
  if (!verification) return null;
  const { createdAt: at, status, probes } = verification;
  return { ...verification, at, ok: status === 'committed', probes: presentProbes(probes) };
}

function presentProbes(probes: Candidate['probes']) {
  if (Object.keys(probes).length === 0) return [];
  return probeNames.map((probe) => ({ probe, expected: probeExpectations[probe], ...(probes[probe] ?? notSent) }));
}
