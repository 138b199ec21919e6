import test from 'ava';
import type { Knex } from 'knex';
import { type NewRegistration, openRegistration } from '../../../db/people/email-registrations.ts';
import { aRegistration } from '../../harness/people/registrations.ts';
import { testDatabase } from '../../harness/database/database.ts';

const client = (name: string | number) => ({ clientHash: Buffer.from(`client ${name}`) });
const browser = (number: number) => ({ browserHash: Buffer.alloc(32, number) });

async function isOpened(db: Knex, others: Partial<NewRegistration> = {}): Promise<boolean> {
  return (await openRegistration(db, aRegistration(others))).state === 'opened';
}

async function openedOf(db: Knex, count: number, others: Partial<NewRegistration>): Promise<number> {
  let openedCount = 0;
  for (let index = 0; index < count; index++) if (await isOpened(db, others)) openedCount++;
  return openedCount;
}

/** The registration lies outside of the window. */
async function hasSignedIn(db: Knex, { clientHash }: { clientHash: Buffer }): Promise<void> {
  await openRegistration(db, aRegistration({ clientHash }));
  const createdAt = new Date(Date.now() - 86_400_000);
  await db('email_registrations')
    .where({ client_hash: clientHash })
    .update({ status: 'completed', created_at: createdAt, expires_at: createdAt });
}

test("a stranger cannot use up the owner's share of an address", async (t) => {
  const { db } = await testDatabase(t);
  t.is(await openedOf(db, 6, client('of a stranger')), 5);
  t.is(await openedOf(db, 6, client('of the owner')), 5);
});

test('strangers together get at most four shares of an address', async (t) => {
  const { db } = await testDatabase(t);
  for (let stranger = 0; stranger < 4; stranger++) t.is(await openedOf(db, 5, client(stranger)), 5);
  t.is(await openedOf(db, 2, client('of another')), 0);
  t.is(await openedOf(db, 1, { ...client('of another'), email: 'bob@example.com' }), 1);
});

test('strangers cannot use up the share of a known browser', async (t) => {
  const { db } = await testDatabase(t);
  for (let stranger = 0; stranger < 4; stranger++) await openedOf(db, 5, client(stranger));
  t.is(await openedOf(db, 6, { ...client('of another'), ...browser(1) }), 5);
});

test('strangers cannot use up the share of a known client', async (t) => {
  const { db } = await testDatabase(t);
  await hasSignedIn(db, client('of the owner'));
  for (let stranger = 0; stranger < 4; stranger++) await openedOf(db, 5, client(stranger));
  t.false(await isOpened(db, client('of another')));
  t.is(await openedOf(db, 6, client('of the owner')), 5);
  t.is(
    await openedOf(db, 6, { ...client('of the owner'), email: 'bob@example.com' }),
    5,
    'it is known to one address only',
  );
});

test('known browsers and clients share four shares an hour', async (t) => {
  const { db } = await testDatabase(t);
  for (let number = 1; number <= 4; number++) t.is(await openedOf(db, 5, browser(number)), 5);
  t.false(await isOpened(db, browser(5)));
  t.true(await isOpened(db, client('of a stranger')));
});

test("a known browser is independent of its client's share", async (t) => {
  const { db } = await testDatabase(t);
  for (let count = 0; count < 20; count++) await isOpened(db, { email: `other${count}@example.com` });
  t.false(await isOpened(db));
  t.true(await isOpened(db, browser(1)));
});

test("codes beyond one client's share allow a single try", async (t) => {
  const { db } = await testDatabase(t);
  await openedOf(db, 5, client(1));
  await openedOf(db, 5, client(2));
  await openedOf(db, 5, browser(1));
  const tries = (await db('email_registrations').orderBy('id')).map(({ wrong_count }) => 5 - wrong_count);
  t.deepEqual(tries, [5, 5, 5, 5, 5, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5]);
});

test('an IPv6 /48 network has the shares of eight clients', async (t) => {
  const { db } = await testDatabase(t);
  const inNetwork = (number: number) => ({ ...client(number), networkHash: Buffer.alloc(32, 9), email: mail(number) });
  const mail = (number: number) => `person${number}@example.com`;
  for (let number = 0; number < 32; number++) t.is(await openedOf(db, 5, inNetwork(number)), 5);
  t.false(await isOpened(db, inNetwork(33)));
  t.true(await isOpened(db, { ...inNetwork(34), ...browser(1) }), 'a known browser is counted by itself');
  t.true(await isOpened(db, { ...client(35), networkHash: Buffer.alloc(32, 8), email: mail(35) }));
});

test('concurrent requests from several clients stay within four shares', async (t) => {
  const { db } = await testDatabase(t);
  const burst = Array.from({ length: 30 }, (_, index) => isOpened(db, client(index)));
  t.is((await Promise.all(burst)).filter(Boolean).length, 20);
});
