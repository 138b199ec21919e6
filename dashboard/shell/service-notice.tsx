import type { Schema } from '../../client/create-client.ts';
import { useLoad } from '../kit/calls.ts';

type Readiness = Pick<Schema<'Readiness'>, 'temporal' | 'workers'>;

const ASKED_EVERY_MS = 15_000;

/** Says once on every page what the service cannot do, so that not each button has to. */
export function ServiceNotice() {
  const { value } = useLoad(['readiness'], readReadiness, { everyMs: ASKED_EVERY_MS });
  const text = value === null ? null : troubleOf(value);
  if (text === null) return null;
  return (
    <p class="notice service-notice" role="status">
      {text}
    </p>
  );
}

/** A process that is not ready says why with the status 503. Without an answer, the page shows errors of its own. */
async function readReadiness(): Promise<Readiness | null> {
  try {
    return (await (await fetch('/readyz')).json()) as Readiness;
  } catch {
    return null;
  }
}

function troubleOf({ temporal, workers }: Readiness): string | null {
  if (workers === 'missing')
    return 'Some deliveries wait, because no worker serves them at the moment. Events are accepted.';
  if (temporal === 'ok') return null;
  return (
    'The workflow service is not available. Events are delivered. Changes of webhooks, tests, posts and sign-in codes ' +
    'are refused, and repeated retries and replays wait until it is back.'
  );
}
