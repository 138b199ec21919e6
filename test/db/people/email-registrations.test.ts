import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { completeRegistration, setCode } from '../../../db/people/email-codes.ts';
import {
  expireRegistration,
  type NewRegistration,
  openRegistration,
  withdrawRegistration,
} from '../../../db/people/email-registrations.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aRegistration } from '../../harness/people/registrations.ts';
import { testSigningRing } from '../../harness/tenants.ts';

const signingRing = testSigningRing;
const key = signingRing.active('email-code');
const CODE = '012345';

async function opened(db: Knex, others: Partial<NewRegistration> = {}) {
  const opening = await openRegistration(db, aRegistration(others));
  if (opening.state !== 'opened') throw new Error('limited');
  return opening;
}

async function awaited(t: ExecutionContext, others: Partial<NewRegistration> = {}) {
  const { db, another } = await testDatabase(t);
  const other = another();
  const registration = await opened(db, others);
  await setCode(db, { id: registration.id, code: CODE, key });
  const attempt = (otp: string, on = db, purpose: NewRegistration['purpose'] = 'sign_in') =>
    on.transaction((trx) => completeRegistration(trx, { purpose, publicId: registration.publicId, otp, signingRing }));
  return { db, other, registration, attempt };
}

test('the right code completes a registration, once', async (t) => {
  const { attempt, registration } = await awaited(t);
  const completion = await attempt(CODE);
  t.like(completion, { state: 'completed', registration: { id: registration.id, email: 'ann@example.com' } });
  t.deepEqual(await attempt(CODE), { state: 'expired' });
});

test('of two concurrent correct codes, one completes the registration', async (t) => {
  const { attempt, other } = await awaited(t);
  const states = (await Promise.all([attempt(CODE), attempt(CODE, other)])).map(({ state }) => state);
  t.deepEqual(states.sort(), ['completed', 'expired']);
});

test('the fifth wrong code locks the registration permanently', async (t) => {
  const { attempt } = await awaited(t);
  for (const triesLeft of [4, 3, 2, 1]) t.deepEqual(await attempt('000000'), { state: 'invalid', triesLeft });
  t.like(await attempt('000000'), { state: 'locked', now: true });
  t.like(await attempt(CODE), { state: 'locked', now: false });
});

test('concurrent wrong codes get at most five tries', async (t) => {
  const { attempt, other, db } = await awaited(t);
  const burst = Array.from({ length: 24 }, (_, index) => attempt(String(100_000 + index), index % 2 ? db : other));
  const states = (await Promise.all(burst)).map(({ state }) => state);
  t.is(states.filter((state) => state === 'invalid').length, 4);
  t.is(states.filter((state) => state === 'locked').length, 20);
  t.like(await db('email_registrations').first(), { status: 'locked', wrong_count: 5 });
});

test('a code is valid only for its purpose and registration', async (t) => {
  const { attempt, db } = await awaited(t);
  t.deepEqual(await attempt(CODE, db, 'agent'), { state: 'unknown' });
  const another = await opened(db);
  await setCode(db, { id: another.id, code: '999999', key });
  t.like(await attempt('999999'), { state: 'invalid' });
});

test('a try before the code is sent counts as wrong', async (t) => {
  const { attempt, db } = await awaited(t);
  await db('email_registrations').update({ code_hash: null });
  t.like(await attempt(CODE), { state: 'invalid', triesLeft: 4 });
});

test('an expired registration accepts no code, even without its workflow', async (t) => {
  const { attempt, db, registration } = await awaited(t);
  await db('email_registrations').update({ expires_at: new Date(Date.now() - 1) });
  t.deepEqual(await attempt(CODE), { state: 'expired' });
  t.is(await setCode(db, { id: registration.id, code: CODE, key }), undefined);
});

test('expireRegistration keeps another final status', async (t) => {
  const { attempt, db, registration } = await awaited(t);
  await attempt(CODE);
  t.is(await expireRegistration(db, registration), 'completed');
  const open = await opened(db);
  t.is(await expireRegistration(db, open), 'expired');
  t.is(await expireRegistration(db, open), 'expired');
  t.is(await expireRegistration(db, { id: 404 }), undefined);
});

test('the code is stored only as a hash', async (t) => {
  const { db } = await awaited(t);
  const row = JSON.stringify(await db('email_registrations').first());
  t.false(row.includes(CODE) || row.includes(Buffer.from(CODE).toString('base64')));
});

test('concurrent requests stay within the shares of address and client', async (t) => {
  const { db } = await testDatabase(t);
  const burst = await Promise.all(Array.from({ length: 9 }, () => openRegistration(db, aRegistration())));
  t.is(burst.filter(({ state }) => state === 'opened').length, 5);
  const limited = await openRegistration(db, aRegistration());
  t.true(limited.state === 'limited' && limited.retryAfterSeconds > 3_000 && limited.retryAfterSeconds <= 3_600);

  for (let count = 5; count < 20; count++) await opened(db, { email: `other${count}@example.com` });
  t.like(await openRegistration(db, aRegistration({ email: 'last@example.com' })), { state: 'limited' });
  await opened(db, { email: 'last@example.com', clientHash: Buffer.from('another') });

  await db('email_registrations').update({ created_at: new Date(Date.now() - 3_600_001) });
  await opened(db);
});

test('a withdrawn registration does not count', async (t) => {
  const { db } = await testDatabase(t);
  for (let count = 0; count < 7; count++) await withdrawRegistration(db, await opened(db));
  t.is((await db('email_registrations')).length, 0);
});
