import test from 'ava';
import { z } from 'zod';
import { presentAnswer } from '../../../api/routing/present-answer.ts';

const at = new Date('2026-01-31T08:00:00.000Z');
const item = z.strictObject({ name: z.string(), createdAt: z.string().nullable(), note: z.string().optional() });

test('an answer has only the fields of its schema', (t) => {
  const row = { id: 7, name: 'one', tokenEncrypted: 'sealed', createdAt: null };
  t.deepEqual(presentAnswer(item, row), { name: 'one', createdAt: null });
});

test('lists and inner records are presented, with times as text', (t) => {
  const schema = z.strictObject({ items: z.array(item), last: item.nullable(), next: item.nullable() });
  const row = { name: 'one', createdAt: at, id: 7 };
  const shown = { name: 'one', createdAt: at.toISOString() };
  t.deepEqual(presentAnswer(schema, { items: [row, row], last: row, next: null }), {
    items: [shown, shown],
    last: shown,
    next: null,
  });
});

test('what has no fixed fields is answered as it is', (t) => {
  const open = z.strictObject({ loose: z.looseObject({}), counts: z.record(z.string(), z.number()) });
  const answer = { loose: { any: 1 }, counts: { other: 2 } };
  t.deepEqual(presentAnswer(open, answer), answer);
});
