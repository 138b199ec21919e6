import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { sequencedId } from '../../../../contract/ids.ts';
import { acceptItems } from '../../../../db/ledger/accept.ts';
import { itemsOf, setDebounce } from '../../../harness/deliveries/debounced.ts';
import { anItem } from '../../../harness/deliveries/hot-ledger.ts';
import { pumpStage, type PumpStage, untilAll } from '../../../harness/deliveries/pump-stage.ts';

const EVENTS = 600;
const CONVERSATIONS = 12;

interface Numbered {
  readonly conversation: number;
  readonly position: number;
}

async function acceptAll({ pool }: PumpStage): Promise<void> {
  for (let start = 0; start < EVENTS; start += 30) {
    const bodies = Array.from({ length: 30 }, (_, index): Numbered => {
      return { conversation: 1 + ((start + index) % CONVERSATIONS), position: start + index };
    });
    await acceptItems(
      pool,
      bodies.map((body) => anItem({ conversationKey: body.conversation, body: Buffer.from(JSON.stringify(body)) })),
    );
  }
}

/**
 * Changes the deliveries that the pump is not changing at this moment. Waits for no lock: the pump's statements lock the
 * same rows in another order, and a deadlock would end the test.
 */
async function changeUnlocked(
  { db }: PumpStage,
  { condition, change }: { condition: string; change: Readonly<Record<string, string>> },
): Promise<void> {
  await db.transaction(async (trx) => {
    const rows = await trx('deliveries').whereRaw(condition).select('id').forUpdate().skipLocked();
    const ids = rows.map(({ id }: { id: string }) => id);
    await trx('deliveries').whereIn('id', ids).update(change);
  });
}

const PASS_EVERY_MS = 20;

/** Makes waiting deliveries due, until all are delivered. Leaves the database time for the pump. */
async function passTimes(stage: PumpStage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await changeUnlocked(stage, {
      condition: "status = 'pending' and random() < 0.3",
      change: { created_at: '2000-01-01' },
    });
    await changeUnlocked(stage, { condition: "status = 'retrying'", change: { next_attempt_at: '2000-01-01' } });
    await delay(PASS_EVERY_MS);
  }
}

test('each gathered event is accepted once and in order despite failures', async (t) => {
  t.timeout(600_000);
  const stage = await pumpStage(t);
  await setDebounce(stage, { seconds: 60, maxEvents: 7 });
  stage.webhook.set({
    // Failures in a row would open the circuit, which nothing probes here.
    answers: Array.from({ length: 2 * EVENTS }, (_, index) => ({ status: index % 10 === 3 ? 500 : 200 })),
  });
  stage.startPump({ scheduleMs: Array.from({ length: 50 }, () => 100_000) });
  const ended = new AbortController();
  const deliverAll = async (): Promise<void> => {
    await acceptAll(stage);
    await untilAll(stage, 'delivered');
  };
  await Promise.all([passTimes(stage, ended.signal), deliverAll().finally(() => ended.abort())]);

  const requests = stage.webhook.deliveries();
  t.true(requests.every(({ signatureValid, standardSignatureValid }) => signatureValid && standardSignatureValid));
  const batches = requests.map((request) => ({ items: itemsOf(request), isAccepted: request.answeredStatus === 200 }));
  t.true(batches.every(({ items }) => items.length <= 7));
  t.true(batches.some(({ items }) => items.length > 1));
  const isOneConversation = (conversations: readonly number[]): boolean => new Set(conversations).size === 1;
  t.true(batches.every(({ items }) => isOneConversation(items.map(({ event }) => (event as Numbered).conversation))));

  const events = batches.filter(({ isAccepted }) => isAccepted).flatMap(({ items }) => items);
  t.is(events.length, EVENTS);
  t.is(new Set(events.map(({ deliveryId }) => deliveryId)).size, EVENTS);
  const latest = new Map<number, number>();
  for (const { event } of events) {
    const { conversation, position } = event as Numbered;
    t.true(position > (latest.get(conversation) ?? -1), `${position} is late`);
    latest.set(conversation, position);
  }
  const recorded = await stage.db('attempts').where({ outcome: 'accepted' }).select('delivery_id', 'number', 'batch');
  t.is(recorded.length, EVENTS);
  const sent = new Set(
    batches.filter(({ isAccepted }) => isAccepted).map(({ items }) => items.map((one) => one.deliveryId).join()),
  );
  const idOf = (number: number): string => sequencedId(stage.idKey, 'delivery', number);
  t.true(recorded.every(({ batch }) => sent.has(batch.map((number: string) => idOf(Number(number))).join())));
});
