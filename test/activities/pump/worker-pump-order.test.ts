import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { sequencedId } from '../../../contract/ids.ts';
import type { ReceivedRequest } from '../../../simulator/receiver/scripted-webhook.ts';
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

async function untilNone({ db }: PumpStage, statuses: readonly string[]): Promise<void> {
  await eventually(async () => (await db('deliveries').whereIn('status', statuses).first('id')) === undefined);
}

function isInOrder(t: ExecutionContext, arrivals: readonly Arrival[]): void {
  t.is(new Set(arrivals.map(({ position }) => position)).size, EVENTS);
  t.is(arrivals.length, EVENTS);
  for (const [conversation, list] of Map.groupBy(arrivals, (arrival) => arrival.conversation)) {
    const positions = list.map(({ position }) => position);
    t.true(
      positions.every((position, index) => index === 0 || position > positions[index - 1]!),
      `${conversation}`,
    );
  }
}

const failing = (share: number) =>
  Array.from({ length: EVENTS * 2 }, () => ({ status: Math.random() < share ? 503 : 200 }));

test('random failures neither lose, repeat nor reorder events', async (t) => {
  const stage = await pumpStage(t);
  stage.webhook.set({ answers: failing(0.03) });
  stage.startPump({
    destinationInFlight: 32,
    onPromoted: (id) => void retryUntilEnded(stage, id),
    onCircuitsSignalled: (id) => void probe(stage, id),
  });
  await acceptAll(stage);
  await untilNone(stage, ['pending', 'retrying']);
  const arrivals = stage.webhook.deliveries().map(arrivalOf);
  t.true(arrivals.length > EVENTS, 'some attempts failed');
  const taken = arrivals.filter(({ status }) => status === 200);
  isInOrder(t, taken);
});

test('first attempts keep their order after a hold expired', async (t) => {
  const stage = await pumpStage(t);
  stage.webhook.set({ answers: failing(0.1) });
  const onCircuitsSignalled = (id: number) => void probe(stage, id);
  stage.startPump({ destinationInFlight: 32, conversationHoldMs: 1, onCircuitsSignalled });
  await acceptAll(stage);
  await untilNone(stage, ['pending']);
  const arrivals = stage.webhook.deliveries().map(arrivalOf);
  const first = arrivals.filter(({ attempt }) => attempt === 1);
  isInOrder(t, first);
});
