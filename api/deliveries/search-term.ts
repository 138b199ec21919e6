import { isId, sequenceOf, type IdKey } from '../../contract/ids.ts';
import { deliveryIdOfWorkflow } from '../../contract/ids.ts';
import type { DeliveryPage } from '../../db/deliveries/find-page.ts';

/** What a person typed or pasted into the search field. */
export type SearchTerm =
  /** An id that exists once, with the filter that finds it. Undefined if it cannot exist. */
  | { readonly kind: 'id'; readonly filter: SearchFilter | undefined }
  | { readonly kind: 'channel'; readonly channelId: string }
  | { readonly kind: 'trace'; readonly traceId: string }
  | { readonly kind: 'batch'; readonly batchId: string }
  | { readonly kind: 'text'; readonly text: string };

export type SearchFilter = Pick<DeliveryPage, 'deliveryId' | 'eventId' | 'replayId' | 'destinations'>;

const TRACE_ID = /^[0-9a-f]{32}$/;
const BATCH_ID = /^wb_[0-9a-f]{24}$/;

export function searchTermOf(typed: string, idKey: IdKey): SearchTerm {
  const text = typed.trim();
  const id = deliveryIdOfWorkflow(text) ?? text;
  if (isId('delivery', id)) return { kind: 'id', filter: numbered('deliveryId', sequenceOf(idKey, 'delivery', id)) };
  if (isId('event', id)) return { kind: 'id', filter: numbered('eventId', sequenceOf(idKey, 'event', id)) };
  if (isId('replay', id)) return { kind: 'id', filter: { replayId: id } };
  if (isId('subscription', id) || isId('listener', id)) return { kind: 'id', filter: { destinations: [id] } };
  if (isId('channel', id)) return { kind: 'channel', channelId: id };
  if (TRACE_ID.test(text)) return { kind: 'trace', traceId: text };
  if (BATCH_ID.test(text)) return { kind: 'batch', batchId: text };
  return { kind: 'text', text };
}

function numbered(name: 'deliveryId' | 'eventId', number: number | undefined): SearchFilter | undefined {
  return number === undefined ? undefined : { [name]: number };
}
