import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CredentialActivities, ExchangeResult } from '../../activities/channels/credential-activities.ts';
import type { RefreshCredentialInput } from '../../contract/channels/credential-refresh.ts';
import { activityQueue, stateAttribute } from '../runs/this-run.ts';

const { exchangeCredential } = proxyActivities<CredentialActivities>({
  taskQueue: activityQueue('media'),
  // At most three calls of 10 s.
  startToCloseTimeout: '45s',
  heartbeatTimeout: '4s',
  // Covers a lost worker or database. Repeating the exchange is harmless: the last stored token counts.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const { disconnectChannels } = proxyActivities<CredentialActivities>({
  taskQueue: activityQueue('media'),
  // One transaction for all waiting deliveries of the channels.
  startToCloseTimeout: '60s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Used if the input has no delays: often enough for a credential that is still valid for days. */
const FALLBACK_DELAY_MS = 3_600_000;

export interface RefreshCredentialResult {
  readonly status: 'refreshed' | 'not_due' | 'dead';
}

/** Exchanges a credential for a newer token, retrying until it succeeds. A dead credential stops their calls. */
export async function refreshCredential(input: RefreshCredentialInput): Promise<RefreshCredentialResult> {
  const { credentialId, waitsMs } = input;
  for (let tries = 1; ; tries++) {
    setCurrentDetails('Exchanging the credential.');
    const exchange = await exchangeCredential.executeWithOptions({ summary: `exchange ${tries}` }, [{ credentialId }]);
    if (exchange.outcome === 'refreshed' || exchange.outcome === 'not_due') return end(exchange.outcome);
    if (exchange.outcome === 'dead') {
      const { code, subcode } = exchange;
      const dead = { credentialId, code, subcode };
      await disconnectChannels.executeWithOptions({ summary: 'disconnect its channels' }, [dead]);
      return end('dead');
    }
    const delayMs = waitsMs[Math.min(tries, waitsMs.length) - 1] ?? FALLBACK_DELAY_MS;
    const nextAt = new Date(Date.now() + delayMs).toISOString();
    setCurrentDetails(`${describeOutcome(exchange)} Exchange ${tries + 1} at ${nextAt}.`);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof refreshCredential>(input);
    await sleep(delayMs, { summary: `exchange ${tries + 1} at ${nextAt}` });
  }
}

function describeOutcome(
  exchange: Extract<ExchangeResult, { outcome: 'unchanged' | 'refused' | 'unavailable' }>,
): string {
  switch (exchange.outcome) {
    case 'unchanged':
      return 'The platform returned a token that expires no later.';
    case 'refused':
      return `The platform refused the exchange (code ${exchange.code}, subcode ${exchange.subcode}).`;
    case 'unavailable':
      return 'The platform could not be reached.';
  }
}

function end(status: RefreshCredentialResult['status']): RefreshCredentialResult {
  upsertSearchAttributes([{ key: stateAttribute, value: status }]);
  setCurrentDetails(`Ended: ${status}.`);
  return { status };
}
