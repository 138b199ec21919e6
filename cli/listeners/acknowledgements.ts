import type { ApiClient, Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Output } from '../terminal/output.ts';
import type { LocalResponse } from './forward.ts';
import type { Persist } from './persist.ts';

type Acknowledged = Schema<'AcknowledgedDelivery'>;

interface Acknowledging {
  readonly client: ApiClient;
  readonly channelId: string;
  readonly listenerId: string;
  readonly persist: Persist;
  readonly output: Pick<Output, 'warn'>;
}

export interface Acknowledgements {
  add(delivery: Schema<'ListenerDelivery'>, answer: LocalResponse): Promise<void>;
  flush(by?: ApiClient): Promise<void>;
}

/** A crash repeats few deliveries; a slow connection needs few requests. */
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
  const acknowledge = async (by: ApiClient, deliveries: Acknowledged[]): Promise<void> => {
    const params = { path: { ch: channelId, lst: listenerId } };
    await by.post('/channels/{ch}/listeners/{lst}/acknowledge', { params, body: { deliveries } });
  };
  /** The service accepts all or none. If one delivery no longer exists, acknowledges each separately. */
  const acknowledgeEach = async (by: ApiClient, deliveries: Acknowledged[]): Promise<void> => {
    try {
      await acknowledge(by, deliveries);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'DELIVERY_NOT_FOUND') throw error;
      const [only, ...others] = deliveries;
      if (only && others.length === 0) return output.warn(notFoundText(only));
      for (const delivery of deliveries) await acknowledgeEach(by, [delivery]);
    }
  };
  const flush: Acknowledgements['flush'] = async (by) => {
    if (waiting.length === 0) return;
    const deliveries = waiting;
    // Safe to repeat: the service recognizes a repeated attempt.
    if (by) await acknowledgeEach(by, deliveries);
    else await persist(() => acknowledgeEach(client, deliveries));
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

function notFoundText({ deliveryId, outcome }: Acknowledged): string {
  const result = outcome === 'accepted' ? 'Its acceptance' : 'Its result';
  return `${deliveryId} no longer exists: it expired or its channel was moved. ${result} is not recorded. Continuing.`;
}
