import test from 'ava';
import { longLifeStage, type LongLifeStage } from './long-life-stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAYS = 7;
const RETENTION_DAYS = 2;
/** The numbers of the stage's destinations. The last one has no order. */
const HEALTHY = 0;
const FLAKY = 1;
const DOWN = 2;
const PAUSING = 3;

/** Everything that is due within the hour happens at its time. */
async function passHour(stage: LongLifeStage): Promise<void> {
  for (let leftMs = HOUR_MS; leftMs > 0;) leftMs -= await stage.jumpToNext(leftMs);
}

const STEADY_EVENTS = 80;
const STEADY_MS = 100_000;

/** One failure at a destination that then accepts for hours: what is left of it decays towards the least number. */
async function passSteadyHours(stage: LongLifeStage): Promise<void> {
  stage.behave(HEALTHY, { kind: 'refuses' });
  await stage.accept([1, 2, 3]);
  await stage.untilQuiet();
  stage.behave(HEALTHY, { kind: 'accepts' });
  for (let count = 0; count < STEADY_EVENTS; count++) {
    await stage.jump(STEADY_MS);
    await stage.accept([4]);
    await stage.untilQuiet();
  }
}

/** Of the tables that a healthy installation keeps small. */
async function sizes({ db }: LongLifeStage): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of [
    'events',
    'deliveries',
    'attempts',
    'event_keys',
    'conversation_holds',
    'conversation_releases',
  ]) {
    const [row] = await db(table).count({ count: '*' });
    counts[table] = Number(row!.count);
  }
  return counts;
}

test('a week of traffic ends with every event delivered and small tables', async (t) => {
  const stage = await longLifeStage(t, { retentionDays: RETENTION_DAYS });
  await passSteadyHours(stage);
  stage.behave(FLAKY, { kind: 'flaky', every: 4 });
  for (let hour = 0; hour < DAYS * 24; hour++) {
    if (hour === 24) stage.behave(DOWN, { kind: 'refuses' });
    if (hour === 48) stage.behave(DOWN, { kind: 'accepts' });
    stage.behave(PAUSING, hour % 12 === 0 ? { kind: 'pauses', seconds: 600 } : { kind: 'accepts' });
    await stage.accept([1, 2, 3]);
    await passHour(stage);
    if (hour % 12 === 0) await stage.retain();
    if (hour % 24 === 0) await stage.check();
  }
  stage.behave(FLAKY, { kind: 'accepts' });
  for (let minutes = 0; minutes < 90; minutes += 15) await stage.jumpToNext(15 * MINUTE_MS);
  await stage.check();

  const eventCount = DAYS * 24 * 3 + 3 + STEADY_EVENTS;
  for (const index of [HEALTHY, FLAKY, DOWN, PAUSING]) {
    const { requests } = stage.receivers.get(stage.destinationIds[index]!)!;
    t.is(new Set(requests.filter(({ isAccepted }) => isAccepted).map(({ deliveryId }) => deliveryId)).size, eventCount);
  }
  const { events, deliveries, attempts, event_keys: keys, ...waiting } = await sizes(stage);
  t.deepEqual(waiting, { conversation_holds: 0, conversation_releases: 0 });
  t.true(events! <= (RETENTION_DAYS + 1) * 24 * 3, `${events} events`);
  t.is(deliveries, events! * 4);
  t.true(attempts! >= deliveries! && attempts! < 2 * deliveries!, `${attempts} attempts`);
  t.true(keys! <= eventCount, `${keys} keys`);
});
