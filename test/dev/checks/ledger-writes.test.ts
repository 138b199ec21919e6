import test from 'ava';
import { ledgerWrites } from '../../../dev/checks/ledger-writes.ts';

const linesIn = (text: string, path = 'db/people/x.ts'): number[] =>
  ledgerWrites({ path, text }).map(({ line }) => line);

const violations: Readonly<Record<string, string>> = {
  'an update in SQL': "db.raw('update deliveries set status = ?');",
  'an insert in SQL': "db.raw('insert into attempts (delivery_id) values (?)');",
  'a deletion in a common table expression': '`with gone as (delete from conversation_holds h using x) select 1`;',
  'a second write in one statement':
    '`with kept as (update destinations set label = $1 returning id) update deliveries set status = $2`;',
  'a circuit column in SQL': "`update destinations set circuit = 'closed' where id = $1`;",
  'the enabled column of a new row': "'insert into destinations (id, enabled) values ($1, true)';",
  'a builder call': "trx('deliveries').where({ id }).update({ status: 'pending' });",
  'a builder call over a constant': "const rows = trx('attempts').where({ id });\nvoid rows;\nawait rows.delete();",
  'a circuit column in a builder call': "trx('destinations as d').update({ circuit_probe_at: null });",
  'a table name that is put in': "const tables = ['deliveries'];\ndb.raw(`update ${table} set status = 1`);",
  'a circuit column through the model':
    'await DestinationModel.query(trx).findById(id).patch({ circuitProbeAt: null });',
  'an update of a partition': '`update deliveries_waiting d set next_attempt_at = now() where id = $1`;',
  'a deletion from a period': "db.raw('delete from attempts_3 where delivery_id = 1');",
  'a builder call on a partition': "trx('deliveries_parked').where({ id }).delete();",
  'an Objection model': "class Delivery extends Model { static override tableName = 'deliveries'; }",
};

for (const [what, text] of Object.entries(violations)) {
  test(`${what} outside the ledger is a violation`, (t) => {
    t.is(linesIn(text).length, 1);
  });
}

const byHand: Readonly<Record<string, string>> = {
  'an update': `"update deliveries set status = 'cancelled' where id = $1";`,
  'an update in a common table expression':
    '`with ended as (update deliveries d set xid = pg_current_xact_id(), status = v.status from v) select 1`;',
  'an update of several columns': '"update deliveries set (status, xid) = ($1, $2)";',
  'an update of a partition': `"update deliveries_waiting set status = 'cancelled' where id = $1";`,
  'a builder call on a partition': "trx('deliveries_ended').where({ id }).update({ status });",
  'a status that is put in': '`update deliveries set status = ${status} where id = $1`;',
  'a builder call': "trx('deliveries').where({ id }).update({ status });",
};

for (const [what, text] of Object.entries(byHand)) {
  test(`${what} of a status by hand is a violation in the ledger`, (t) => {
    t.is(linesIn(text, 'db/ledger/x.ts').length, 1);
    t.deepEqual(linesIn(text, 'db/ledger/transitions/move-deliveries-sql.ts'), []);
  });
}

const builtInLedger: Readonly<Record<string, string>> = {
  'a statement of the builder': '`update deliveries d set ${assignments} from ${source} where d.status = 1`;',
  'another column': '"update deliveries set destination_id = $1 where status = \'pending\'";',
  'a new row': "trx('deliveries').insert({ status: 'pending' });",
  'a read of a partition': "db('deliveries_waiting').where({ status }).select('id');",
  'a status of another table': '`update replays set status = 1 from deliveries`;',
};

for (const [what, text] of Object.entries(builtInLedger)) {
  test(`${what} is permitted in the ledger`, (t) => {
    t.deepEqual(linesIn(text, 'db/ledger/x.ts'), []);
  });
}

const permitted: Readonly<Record<string, string>> = {
  'a read': "db.raw('select * from deliveries for update of d'); trx('attempts').select('id');",
  'a label of a destination': "trx('destinations').where({ enabled: true }).update({ label });",
  'the model of destinations': "class DestinationModel extends Model { static override tableName = 'destinations'; }",
  'a label through the model': 'await DestinationModel.query(trx).findById(id).patch({ label });',
  'an ordering of a destination': "`update destinations d set ordering = 1 from x where d.circuit = 'open'`;",
  'a new destination': "'insert into destinations (channel_id, type) select id, $1 from channels where enabled';",
  'a write to another table':
    "const ids = trx('deliveries').pluck('id');\nawait trx('channels').whereIn('id', ids).update({ name });",
};

for (const [what, text] of Object.entries(permitted)) {
  test(`${what} is permitted outside the ledger`, (t) => {
    t.deepEqual(linesIn(text), []);
  });
}

test('a violation is reported with its line', (t) => {
  t.deepEqual(linesIn("const a = 1;\n\ntrx('deliveries').delete();"), [3]);
});
