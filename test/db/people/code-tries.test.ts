import test, { type ExecutionContext } from 'ava';
import { type CountedTry, countTry, returnTry } from '../../../db/people/code-tries.ts';
import { openRegistration } from '../../../db/people/email-registrations.ts';
import { aRegistration } from '../../harness/people/registrations.ts';
import { testDatabase } from '../../harness/database/database.ts';

const PER_HOUR = 40;

interface From {
  readonly client: number;
  readonly network?: number;
  readonly browser?: number;
}

async function stage(t: ExecutionContext) {
  const { db, another } = await testDatabase(t);
  const hash = (number: number | undefined) => (number === undefined ? null : Buffer.alloc(32, number));
  let count = 0;
  const open = async ({ client, network, browser }: From) => {
    const email = `person${count++}@example.com`;
    const from = { clientHash: Buffer.alloc(32, client), networkHash: hash(network), browserHash: hash(browser) };
    const limits = { perAddress: 5, perClient: 1_000 };
    const opening = await openRegistration(db, aRegistration({ email, ...from, limits }));
    if (opening.state !== 'opened') throw new Error('limited');
    return { purpose: 'sign_in', publicId: opening.publicId } as const;
  };
  const tryFrom = async (from: From, on = db) => await countTry(on, await open(from), PER_HOUR);
  return { db, another, open, tryFrom };
}

const bounds = (tries: readonly CountedTry[]) => tries.map((one) => (one.state === 'limited' ? one.bound : one.state));

test('an installation allows forty wrong codes an hour', async (t) => {
  const { db, tryFrom } = await stage(t);
  for (let client = 0; client < 40; client++) t.is((await tryFrom({ client })).state, 'counted');
  const limited = await tryFrom({ client: 41 });
  t.like(limited, { state: 'limited', bound: 'installation' });
  t.true(limited.state === 'limited' && limited.retryAfterSeconds > 3_000 && limited.retryAfterSeconds <= 3_600);
  t.deepEqual(await tryFrom({ client: 42, browser: 1 }), { state: 'counted', id: null }, 'a known browser');

  await db('code_tries').update({ tried_at: new Date(Date.now() - 3_600_000) });
  t.is((await tryFrom({ client: 41 })).state, 'counted');
  t.is((await db('code_tries')).length, 1, 'old tries are deleted');
});

test('a client may use a quarter, an IPv6 network half', async (t) => {
  const { tryFrom } = await stage(t);
  const tries: CountedTry[] = [];
  for (let count = 0; count < 11; count++) tries.push(await tryFrom({ client: 1, network: 1 }));
  for (let client = 2; client < 13; client++) tries.push(await tryFrom({ client, network: 1 }));
  tries.push(await tryFrom({ client: 13, network: 2 }), await tryFrom({ client: 14 }));
  const counted = Array<string>(10).fill('counted');
  t.deepEqual(bounds(tries), [...counted, 'client', ...counted, 'network', 'counted', 'counted']);
});

test('a client may always use the wrong codes of one registration', async (t) => {
  const { db, open } = await stage(t);
  const tries: CountedTry[] = [];
  for (let count = 0; count < 6; count++) tries.push(await countTry(db, await open({ client: 1 }), 8));
  t.deepEqual(bounds(tries), [...Array<string>(5).fill('counted'), 'client']);
});

test('a try that was not wrong is returned', async (t) => {
  const { db, tryFrom } = await stage(t);
  for (let count = 0; count < 30; count++) {
    const counted = await tryFrom({ client: 1 });
    if (counted.state === 'counted') await returnTry(db, counted.id);
    t.is(counted.state, 'counted');
  }
  await returnTry(db, null);
});

test('concurrent tries stay within the limit', async (t) => {
  const { db, another, open } = await stage(t);
  const other = another();
  const attempts = [];
  for (let client = 0; client < 60; client++) attempts.push(await open({ client }));
  const tries = await Promise.all(attempts.map((one, index) => countTry(index % 2 ? db : other, one, PER_HOUR)));
  t.is(tries.filter(({ state }) => state === 'counted').length, 40);
});

test('a code that cannot be compared does not count', async (t) => {
  const { db, open } = await stage(t);
  const ended = await open({ client: 1 });
  const late = await open({ client: 1 });
  const other = await open({ client: 1 });
  await db('email_registrations').where({ public_id: ended.publicId }).update({ status: 'locked' });
  await db('email_registrations')
    .where({ public_id: late.publicId })
    .update({ expires_at: new Date(Date.now() - 1) });
  const unknown = { ...other, publicId: 'reg_00000000' };
  for (const attempt of [ended, late, unknown, { ...other, purpose: 'agent' as const }]) {
    t.deepEqual(await countTry(db, attempt, PER_HOUR), { state: 'counted', id: null });
  }
});
