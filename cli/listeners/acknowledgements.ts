import type { ApiClient, Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Output } from '../terminal/output.ts';
import type { LocalAnswer } from './forward.ts';
import type { Persist } from './persist.ts';

type Acknowledged = Schema<'AcknowledgedDelivery'>;

interface Acknowledging {
  readonly client: ApiClient;
  readonly channelId: string;
  readonly listenerId: string;
  readonly persist: Persist;
  readonly output: Pick<Output, 'warn'>;
}

/** Tells the service what came of deliveries, several at once where they come fast. */
export interface Acknowledgements {
  add(delivery: Schema<'ListenerDelivery'>, answer: LocalAnswer): Promise<void>;
  /** Tells what is not told yet. */
  flush(by?: ApiClient): Promise<void>;
}

/** So few that a crash repeats little, and so many that a far service does not slow a backlog down. */
const BATCH_SIZE = 20;
const BATCH_MS = 500;

export function createAcknowledgements({
  client,
  channelId,
  listenerId,
  persist,
  output,
}: Acknowledging): Acknowledgements {
  let waiting: Acknowledged[] = [];
  let sinceMs = 0;
  const tell = async (by: ApiClient, deliveries: Acknowledged[]): Promise<void> => {
    const params = { path: { ch: channelId, lst: listenerId } };
    await by.post('/channels/{ch}/listeners/{lst}/acknowledge', { params, body: { deliveries } });
  };
  /** The service takes all or none: one that it has no longer must not keep the others from being told. */
  const tellEach = async (by: ApiClient, deliveries: Acknowledged[]): Promise<void> => {
    try {
      await tell(by, deliveries);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'DELIVERY_NOT_FOUND') throw error;
      const [only, ...others] = deliveries;
      if (only && others.length === 0) return output.warn(goneText(only));
      for (const delivery of deliveries) await tellEach(by, [delivery]);
    }
  };
  const flush: Acknowledgements['flush'] = async (by) => {
    if (waiting.length === 0) return;
    const deliveries = waiting;
    // Told again where the answer was lost: the service knows a repeat by its attempt.
    if (by) await tellEach(by, deliveries);
    else await persist(() => tellEach(client, deliveries));
    waiting = [];
  };
  return {
    flush,
    async add({ deliveryId, attempt }, { outcome, status, durationMs, body, error }) {
      if (waiting.length === 0) sinceMs = performance.now();
      waiting.push({ deliveryId, attempt, outcome, durationMs, status, responseBody: body, error });
      if (waiting.length >= BATCH_SIZE || performance.now() - sinceMs > BATCH_MS) await flush();
    },
  };
}

function goneText({ deliveryId, outcome }: Acknowledged): string {
  const came = outcome === 'accepted' ? 'That it was accepted' : 'What came of it';
  return `${deliveryId} is gone from the service: it was too old to be kept, or the channel has moved. ${came} is not recorded; going on.`;
}
