import { randomBytes } from 'node:crypto';
import test from 'ava';
import { cursorOfNumber, numberOfCursor, readNamedPage, readNumberedPage } from '../../../api/routing/page.ts';
import { InvalidRequest } from '../../../api/requests/errors.ts';
import { idKeyFrom, sequencedId } from '../../../contract/ids.ts';

const idKey = idKeyFrom(randomBytes(48));
const entries = { idKey, list: 'entries' };

const pageOf = (count: number, size?: number) =>
  readNamedPage({ limit: size }, 'publicId', ({ limit }) =>
    Promise.resolve(Array.from({ length: Math.min(count, limit) }, (_, index) => ({ publicId: String(index) }))),
  );
const named = (...publicIds: string[]) => publicIds.map((publicId) => ({ publicId }));

test('a page with a following one has a cursor', async (t) => {
  t.deepEqual(await pageOf(4, 3), { items: named('0', '1', '2'), nextCursor: '2' });
});

test('a last page that is full or empty has no cursor', async (t) => {
  t.deepEqual(await pageOf(3, 3), { items: named('0', '1', '2'), nextCursor: null });
  t.deepEqual(await pageOf(0, 3), { items: [], nextCursor: null });
});

test('a cursor of another list is refused', async (t) => {
  const unknown = readNamedPage({ limit: 3 }, 'publicId', () => Promise.resolve(undefined));
  await t.throwsAsync(unknown, { instanceOf: InvalidRequest });
  for (const cursor of ['a', '-1', '7', 'cur_7', 'evt_00000001', 'cur_0000000_', 'cur_00000001', 'cur_000000010000']) {
    await t.throwsAsync(
      readNumberedPage({ cursor, ...entries }, () => Promise.resolve([])),
      { instanceOf: InvalidRequest },
    );
  }
});

test('a cursor of a number is opaque and specific to the installation', (t) => {
  const otherKey = idKeyFrom(randomBytes(48));
  for (const number of [0, 1, 4821, 2 ** 40]) {
    const cursor = cursorOfNumber(entries, number);
    t.regex(cursor, /^cur_[A-Za-z0-9]{12}$/);
    t.is(numberOfCursor(entries, cursor), number);
    t.not(cursor, cursorOfNumber({ ...entries, idKey: otherKey }, number));
  }
});

test('cursors of two lists, and ids of events, cannot be compared', (t) => {
  const others = { idKey, list: 'others' };
  for (const number of [0, 1, 4821]) {
    const cursor = cursorOfNumber(entries, number);
    t.is(numberOfCursor(others, cursor), undefined);
    t.not(cursor.slice(4, 12), cursorOfNumber(others, number).slice(4, 12));
    t.not(cursor.slice(4, 12), sequencedId(idKey, 'event', number).slice(4));
    const before = `cur_${sequencedId(idKey, 'event', number).slice(4)}`;
    t.is(numberOfCursor(entries, before), undefined, 'as it was before lists had their own');
  }
});
