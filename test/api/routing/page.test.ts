import test from 'ava';
import { readNumberedPage, readPage } from '../../../api/routing/page.ts';
import { InvalidRequest } from '../../../api/requests/errors.ts';

const pageOf = (count: number, limit?: number) =>
  readPage(limit, {
    read: (most) => Promise.resolve(Array.from({ length: Math.min(count, most) }, (_, index) => index)),
    cursorOf: String,
  });

test('a page with a following one has a cursor', async (t) => {
  t.deepEqual(await pageOf(4, 3), { items: [0, 1, 2], nextCursor: '2' });
});

test('a last page that is full or empty has no cursor', async (t) => {
  t.deepEqual(await pageOf(3, 3), { items: [0, 1, 2], nextCursor: null });
  t.deepEqual(await pageOf(0, 3), { items: [], nextCursor: null });
});

test('a cursor of another list is refused', async (t) => {
  const unknown = readPage(3, { read: () => Promise.resolve(undefined), cursorOf: String });
  await t.throwsAsync(unknown, { instanceOf: InvalidRequest });
  for (const cursor of ['a', '-1', '1'.repeat(16)]) {
    await t.throwsAsync(
      readNumberedPage({ cursor }, () => Promise.resolve([])),
      { instanceOf: InvalidRequest },
    );
  }
});
