import test, { type ExecutionContext } from 'ava';
import { until } from '../../harness/until.ts';
import { writeCounts, heldCalls, holdCalls, release, type StopStage, stopStage } from './held-calls.ts';

/** Answers are due after ten seconds. */
const GRACE_SECONDS = '20';
const keyedCalls = heldCalls.filter(({ isKeyed }) => isKeyed);

test('calls that the platform answers in time get its answers', async (t) => {
  t.timeout(900_000);
  const stage = await stopStage(t, { SHUTDOWN_GRACE_SECONDS: '600' });
  const answers = await holdCalls(stage, heldCalls);

  const { ended } = await stopping(stage);
  release(stage);
  const given = await Promise.all(answers);

  for (const [index, { name }] of heldCalls.entries()) {
    t.like(given[index], { status: 200, connection: 'close' }, `${name}: ${given[index]?.text}`);
  }
  t.deepEqual(await ended, stoppedNormally);
});

test('late calls are answered as unknown, and a repeat returns the outcome', async (t) => {
  t.timeout(900_000);
  const stage = await stopStage(t, { SHUTDOWN_GRACE_SECONDS: GRACE_SECONDS });
  const answers = await holdCalls(stage, heldCalls);
  const counts = writeCounts(stage);

  const { ended } = await stopping(stage);
  const given = await Promise.all(answers);
  release(stage);

  for (const [index, { name, early }] of heldCalls.entries()) {
    t.like(given[index], { ...early, connection: 'close' }, `${name}: ${given[index]?.text}`);
    t.is(given[index]?.retryAfter !== null, early.status === 503, name);
  }
  t.deepEqual(await ended, stoppedNormally);
  await stage.apis[0]!.start();
  for (const call of keyedCalls) {
    const { status, text } = await call.send(stage);
    t.is(status, 200, `${call.name}: ${text}`);
  }
  t.deepEqual(writeCounts(stage), counts, 'nothing is sent twice');
  await allRecorded(t, stage);
});

test('calls that the platform never answers stay unknown under their key', async (t) => {
  t.timeout(900_000);
  const stage = await stopStage(t, { SHUTDOWN_GRACE_SECONDS: GRACE_SECONDS });
  const answers = await holdCalls(stage, heldCalls);
  const counts = writeCounts(stage);

  const { ended } = await stopping(stage);
  await Promise.allSettled(answers); // Another test checks them.
  t.deepEqual(await ended, stoppedNormally);
  await staysUnknown(t, { stage, counts });
  await allRecorded(t, stage);
});

test('calls of a killed process stay unknown under their key', async (t) => {
  t.timeout(900_000);
  const stage = await stopStage(t);
  const answers = await holdCalls(stage, keyedCalls);
  const counts = writeCounts(stage);

  await stage.apis[0]!.kill9();
  const given = await Promise.allSettled(answers);
  t.true(given.every(({ status }) => status === 'rejected'));
  await staysUnknown(t, { stage, counts });
});

const stoppedNormally = [
  { code: 0, signal: null },
  { code: 0, signal: null },
];

/** Resolves once both processes have taken their signal. */
async function stopping({ apis, gateways, lines }: StopStage) {
  const ended = Promise.all([apis[0]!.stop(), gateways[0]!.stop()]);
  await until(() => lines.filter((line) => line.includes('"stop.requested"')).length === 2, { for: 'Both stops' });
  return { ended };
}

async function staysUnknown(
  t: ExecutionContext,
  { stage, counts }: { readonly stage: StopStage; readonly counts: Readonly<Record<string, number>> },
): Promise<void> {
  await stage.apis[0]!.start();
  for (const call of keyedCalls) {
    const { status, code, text } = await call.send(stage);
    t.like({ status, code }, { status: 504, code: 'PLATFORM_OUTCOME_UNKNOWN' }, `${call.name}: ${text}`);
  }
  t.deepEqual(writeCounts(stage), counts, 'nothing is sent twice');
}

/** Each call is in the list of outbound calls, also if its client was answered before. */
async function allRecorded(t: ExecutionContext, { db }: StopStage): Promise<void> {
  const rows = await db('outbound_calls').select('via', 'operation', 'method');
  t.deepEqual(
    rows
      .filter(({ via }) => via === 'gateway')
      .map(({ method }) => method)
      .toSorted(),
    heldCalls
      .filter(({ via }) => via === 'gateway')
      .map(({ send: _, name }) => (name.includes('read') ? 'GET' : 'POST'))
      .toSorted(),
  );
  const operations = new Set(rows.map(({ operation }) => operation));
  for (const each of ['sendMessage', 'uploadChatappMedia', 'publishPageappPost', 'replyToPageappComment']) {
    t.true(operations.has(each), each);
  }
}
