import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { ClaimedDelivery } from '../../db/ledger/claim.ts';
import type { Traces } from '../../process/traces/traces.ts';

/** Shows claims in the traces of sampled events. A row of another event costs one comparison. */
export type TraceClaims = (deliveries: readonly ClaimedDelivery[], startedAtMs: number) => void;

export function createTraceClaims({ traces, idKey }: { readonly traces: Traces; readonly idKey: IdKey }): TraceClaims {
  return (deliveries, startedAtMs) => {
    for (const { id, eventId, traceParent, attemptCount } of deliveries) {
      if (traceParent === null) continue;
      const attributes = {
        'delivery.id': sequencedId(idKey, 'delivery', id),
        'event.id': sequencedId(idKey, 'event', eventId),
        'delivery.attempts_made': attemptCount,
      };
      traces.child('delivery.claim', { traceParent }, { attributes, startedAtMs })?.end();
    }
  };
}
