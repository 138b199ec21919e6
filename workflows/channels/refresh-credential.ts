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
import { stateAttribute } from '../messages/state-attribute.ts';

const { exchangeCredential } = proxyActivities<CredentialActivities>({
  // Three calls of 10 s at most, and two rows.
  startToCloseTimeout: '45s',
  heartbeatTimeout: '4s',
  // Covers a lost worker or database only: what the platform says, or that it says nothing, is an answer. Asking it
  // twice does no harm: each exchange gives a token of its own, and the last one stored counts.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const { disconnectChannels } = proxyActivities<CredentialActivities>({
  // One transaction over what waits at these channels.
  startToCloseTimeout: '60s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export interface RefreshCredentialResult {
  readonly status: 'refreshed' | 'not_due' | 'dead';
}

/**
 * Refreshes a credential before it ends: exchanges it at the platform, again and again until that works or the platform
 * says that the credential is dead, which disconnects the channels that were connected with it.
 */
export async function refreshCredential(input: RefreshCredentialInput): Promise<RefreshCredentialResult> {
  const { credentialId, waitsMs } = input;
  for (let tries = 1; ; tries++) {
    setCurrentDetails('Being exchanged at the platform.');
    const exchange = await exchangeCredential.executeWithOptions({ summary: `exchange ${tries}` }, [{ credentialId }]);
    if (exchange.outcome === 'refreshed' || exchange.outcome === 'not_due') return end(exchange.outcome);
    if (exchange.outcome === 'dead') {
      const { code, subcode } = exchange;
      const dead = { credentialId, code, subcode };
      await disconnectChannels.executeWithOptions({ summary: 'disconnect its channels' }, [dead]);
      return end('dead');
    }
    const delayMs = waitsMs[Math.min(tries, waitsMs.length) - 1] ?? 3_600_000;
    const nextAt = new Date(Date.now() + delayMs).toISOString();
    setCurrentDetails(`${whyNot(exchange)} ${tries} tries so far, the next ${nextAt}.`);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof refreshCredential>(input);
    await sleep(delayMs, { summary: `exchange ${tries + 1} ${nextAt}` });
  }
}

function whyNot(exchange: Extract<ExchangeResult, { outcome: 'unchanged' | 'refused' | 'unavailable' }>): string {
  switch (exchange.outcome) {
    case 'unchanged':
      return 'The platform gave no longer life.';
    case 'refused':
      return `The platform refused it (code ${exchange.code}, subcode ${exchange.subcode}).`;
    case 'unavailable':
      return 'The platform could not be asked.';
  }
}

function end(status: RefreshCredentialResult['status']): RefreshCredentialResult {
  upsertSearchAttributes([{ key: stateAttribute, value: status }]);
  setCurrentDetails(`Ended: ${status}.`);
  return { status };
}
