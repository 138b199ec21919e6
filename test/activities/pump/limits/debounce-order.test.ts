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

/** Makes waiting deliveries due, until all are delivered. */
async function passTimes({ db }: PumpStage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await db.raw("update deliveries set created_at = '2000-01-01' where status = 'pending' and random() < 0.3");
    await db.raw("update deliveries set next_attempt_at = now() where status = 'retrying'");
  }
}

test('each gathered event is accepted once and in order despite failures', async (t) => {
  t.timeout(600_000);
  const stage = await pumpStage(t);
  await setDebounce(stage, { seconds: 60, maxEvents: 7 });
  stage.webhook.set({
    answers: Array.from({ length: 2 * EVENTS }, () => ({ status: Math.random() < 0.1 ? 500 : 200 })),
  });
  stage.startPump({ scheduleMs: Array.from({ length: 50 }, () => 100_000) });
  const ended = new AbortController();
  const passing = passTimes(stage, ended.signal);
  await acceptAll(stage);
  await untilAll(stage, 'delivered');
  ended.abort();
  await passing;

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
