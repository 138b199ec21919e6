import type { ExecutionContext } from 'ava';
import type { SendDelivery } from '../../../activities/deliveries/send-delivery.ts';
import type { ClaimedDelivery } from '../../../db/ledger/claim.ts';

interface Send {
  readonly row: ClaimedDelivery;
  isEnded: boolean;
}

/** Accepts all deliveries after a while and records when each of them was sent. */
export function recordedSends({ delayMs }: { readonly delayMs: () => number }) {
  const sends: Send[] = [];
  const disorders: string[] = [];
  const conversations = new Map<string, Send>();

  const sendDelivery: SendDelivery = async (delivery, number) => {
    const row = delivery as ClaimedDelivery;
    const send = { row, isEnded: false };
    const conversation = `${row.destinationId} ${row.conversationKey}`;
    const last = conversations.get(conversation);
    if (last && (!last.isEnded || last.row.id >= row.id))
      disorders.push(`${row.id} after ${last.row.id}${last.isEnded ? '' : ', which is in flight'} of ${conversation}`);
    conversations.set(conversation, send);
    sends.push(send);
    const startedAtMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, delayMs()));
    send.isEnded = true;
    const answer = { status: 200, responseHeaders: {}, responseBody: null, error: null } as const;
    return { number, startedAtMs, durationMs: Date.now() - startedAtMs, outcome: 'accepted', ...answer };
  };

  return {
    sendDelivery,
    disorders,
    sentIds: (): number[] => sends.map(({ row }) => row.id).toSorted((a, b) => a - b),
    /** Each delivery once, and those of a conversation one after the other. */
    assertOnceInOrder(t: ExecutionContext<unknown>, ids: readonly number[]): void {
      const sentIds = this.sentIds();
      const missing = ids.filter((id) => !sentIds.includes(id));
      const repeated = sentIds.filter((id, index) => sentIds[index - 1] === id);
      t.deepEqual({ missing, repeated, disorders }, { missing: [], repeated: [], disorders: [] });
    },
  };
}
