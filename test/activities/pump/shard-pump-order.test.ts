import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { sequencedId } from '../../../contract/ids.ts';
import type { ReceivedRequest } from '../../../simulator/receiver/request-record.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { eventually } from '../../harness/eventually.ts';
import { anItem } from '../../harness/deliveries/hot-ledger.ts';
import { pumpStage, type PumpStage } from '../../harness/deliveries/pump-stage.ts';

const EVENTS = 2_000;
const CONVERSATIONS = 50;
const SHORT_MS = 5;

interface Arrival {
  readonly conversation: number;
  readonly position: number;
  readonly attempt: number;
  readonly status: number | null;
}

function arrivalOf({ bodyBase64, headers, answeredStatus }: ReceivedRequest): Arrival {
  const { conversation, position } = JSON.parse(Buffer.from(bodyBase64!, 'base64').toString());
  return { conversation, position, attempt: Number(headers['x-service-attempt']), status: answeredStatus };
}

async function acceptAll({ pool }: PumpStage): Promise<void> {
  const bodies = Array.from({ length: EVENTS }, (_, position) => ({
    conversation: position % CONVERSATIONS,
    position,
  }));
  for (let start = 0; start < EVENTS; start += 100) {
    const batch = bodies.slice(start, start + 100);
    await acceptItems(
      pool,
      batch.map((body) => anItem({ conversationKey: body.conversation, body: Buffer.from(JSON.stringify(body)) })),
    );
  }
}

/** Retries a promoted delivery until it ends, like its workflow. */
async function retryUntilEnded({ deliveryActivities, idKey }: PumpStage, id: number): Promise<void> {
  const deliveryId = sequencedId(idKey, 'delivery', id);
  let attempt = 2;
  for (let failedInSchedule = 1; ;) {
    await sleep(SHORT_MS);
    const input = { deliveryId, attempt, failedInSchedule, retryDelayMs: SHORT_MS };
    const answer = await deliveryActivities.attemptDelivery(input);
    if (answer.status !== 'retrying' && answer.status !== 'waiting') return;
    if (answer.status === 'retrying') failedInSchedule++;
    attempt = answer.attemptsMade! + 1;
  }
}

/** Probes until the circuit closes, like its workflow. */
async function probe({ circuitActivities }: PumpStage, destinationId: number): Promise<void> {
  const input = { destinationId, probesMade: 0, delayMs: SHORT_MS, isRequested: true };
  do await sleep(SHORT_MS);
  while ((await circuitActivities.probeDestination(input)).status === 'open');
}

async function untilNoneOpen({ db }: PumpStage): Promise<void> {
  await eventually(async () => {
    const { rows } = await db.raw("select 1 from deliveries where status in ('pending', 'retrying') limit 1");
    return rows.length === 0;
  });
}

test('random failures neither lose, repeat nor reorder events', async (t) => {
  const stage = await pumpStage(t);
  stage.webhook.set({
    answers: Array.from({ length: EVENTS * 2 }, () => ({ status: Math.random() < 0.03 ? 503 : 200 })),
  });
  stage.startPump({
    destinationInFlight: 32,
    onPromoted: (id) => void retryUntilEnded(stage, id),
    onCircuitsSignalled: (id) => void probe(stage, id),
  });
  await acceptAll(stage);
  await untilNoneOpen(stage);

  const arrivals = stage.webhook.deliveries().map(arrivalOf);
  const taken = arrivals.filter(({ status }) => status === 200);
  t.is(taken.length, EVENTS);
  t.true(arrivals.length > EVENTS, 'some attempts failed');
  for (const [conversation, list] of Map.groupBy(taken, (arrival) => arrival.conversation)) {
    const positions = list.map(({ position }) => position);
    t.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
      `conversation ${conversation}`,
    );
  }
});

test('first attempts keep their order after a hold expired', async (t) => {
  const stage = await pumpStage(t);
  stage.webhook.set({
    answers: Array.from({ length: EVENTS * 2 }, () => ({ status: Math.random() < 0.1 ? 503 : 200 })),
  });
  stage.startPump({
    destinationInFlight: 32,
    conversationHoldMs: 1,
    onCircuitsSignalled: (id) => void probe(stage, id),
  });
  await acceptAll(stage);
  await eventually(
    async () => (await stage.db.raw("select 1 from deliveries where status = 'pending' limit 1")).rows.length === 0,
  );
  const arrivals = stage.webhook
    .deliveries()
    .map(arrivalOf)
    .filter(({ attempt }) => attempt === 1);
  t.is(new Set(arrivals.map(({ position }) => position)).size, EVENTS);
  for (const [conversation, list] of Map.groupBy(arrivals, (arrival) => arrival.conversation)) {
    const positions = list.map(({ position }) => position);
    t.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
      `conversation ${conversation}`,
    );
  }
});
