import test from 'ava';
import { namedStatement, rowColumns } from '../../../db/core/named-statement.ts';

test('each name becomes one numbered parameter', (t) => {
  const statement = namedStatement<{ id: number; status: string }>('find', 'select :id::bigint, :status, :id, a::text');
  t.deepEqual(statement({ status: 'x', id: 3 }), {
    name: 'find',
    text: 'select $1::bigint, $2, $1, a::text',
    values: [3, 'x'],
  });
});

test('a colon in a text is not a parameter', (t) => {
  t.is(namedStatement('notify', "select shard || ':' || :id").call(null, { id: 1 }).text, "select shard || ':' || $1");
});

test('a missing value is an error, null is not', (t) => {
  const statement = namedStatement<Record<string, unknown>>('find', 'select :id');
  t.deepEqual(statement({ id: null }).values, [null]);
  t.throws(() => statement({}), { message: 'The statement find needs a value for :id' });
});

test('rows become one array for each column', (t) => {
  const columns = rowColumns<{ n: number }>({
    id: { type: 'bigint', of: ({ n }) => n },
    place: { type: 'int', of: (_, index) => index },
  });
  t.is(columns.from('s'), 'unnest(:id::bigint[], :place::int[]) as s (id, place)');
  t.deepEqual(columns.values([{ n: 7 }, { n: 9 }]), { id: [7, 9], place: [0, 1] });
});
