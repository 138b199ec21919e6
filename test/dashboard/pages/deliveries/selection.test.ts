import test from 'ava';
import { exportText } from '../../../../dashboard/pages/deliveries/export-text.ts';
import {
  type BulkOutcome,
  extended,
  nothingSelected,
  runBulk,
  toggled,
} from '../../../../dashboard/pages/deliveries/selection.ts';
import { deliverySummary } from './delivery-summary.ts';

const rows = ['a', 'b', 'c', 'd'];
const range = (id: string) => ({ id, indexOf: (one: string) => rows.indexOf(one), at: (index: number) => rows[index] });

test('a row is toggled, and a range begins at the last', (t) => {
  const one = toggled(nothingSelected, 'b');
  t.deepEqual([...one.ids], ['b']);
  t.deepEqual([...toggled(one, 'b').ids], []);
  t.deepEqual([...extended(one, range('d')).ids], ['b', 'c', 'd']);
  t.deepEqual([...extended(one, range('a')).ids].toSorted(), ['a', 'b']);
  t.deepEqual([...extended(nothingSelected, range('c')).ids], ['c'], 'without an anchor');
});

test('a bulk action reports each outcome and repeats after a wait', async (t) => {
  const outcomes: BulkOutcome[] = [];
  const tries = new Map<string, number>();
  const busy = new Error('busy');
  await runBulk({
    ids: ['a', 'b', 'c', 'd', 'e'],
    act: (id) => {
      tries.set(id, (tries.get(id) ?? 0) + 1);
      if (id === 'b') return Promise.reject(new Error('ended'));
      return id === 'c' && tries.get(id) === 1 ? Promise.reject(busy) : Promise.resolve();
    },
    onOutcome: (outcome) => void outcomes.push(outcome),
    signal: new AbortController().signal,
    waitFor: (error) => Promise.resolve(error === busy),
  });
  const failed = outcomes.filter(({ error }) => error !== null);
  t.deepEqual(outcomes.map(({ deliveryId }) => deliveryId).toSorted(), ['a', 'b', 'c', 'd', 'e']);
  t.deepEqual(
    failed.map(({ deliveryId, error }) => [deliveryId, error?.message]),
    [['b', 'ended']],
  );
  t.is(tries.get('c'), 2);
});

test('a stopped bulk action begins no further delivery', async (t) => {
  const stop = new AbortController();
  const acted: string[] = [];
  await runBulk({
    ids: Array.from({ length: 50 }, (_, index) => String(index)),
    act: (id) => {
      acted.push(id);
      stop.abort();
      return Promise.resolve();
    },
    onOutcome: () => undefined,
    signal: stop.signal,
    waitFor: () => Promise.resolve(false),
  });
  t.true(acted.length < 50);
});

test('an export quotes cells and disarms formulas', (t) => {
  const delivery = {
    ...deliverySummary('wd_1', { sender: '+15550001' }),
    preview: '=HYPERLINK("http://evil.example"), "x"',
    lastAttempt: null,
  };
  const [head, line] = exportText([delivery], 'csv').split('\r\n');
  t.regex(head!, /^"deliveryId","eventId","receivedAt"/);
  t.true(line!.includes(`"'+15550001"`));
  t.true(line!.endsWith(`"'=HYPERLINK(""http://evil.example""), ""x"""`));
  t.deepEqual(JSON.parse(exportText([delivery], 'jsonl')), delivery);
});

test('no text of an export becomes a formula in another locale', (t) => {
  const cellOf = (preview: string): string => {
    const delivery = { ...deliverySummary('wd_1'), preview, lastAttempt: null };
    return exportText([delivery], 'csv').split('\r\n"wd_1"')[1]!.split(',"').at(-1)!;
  };
  t.is(cellOf('a plain text; with 2+2 and a-b'), 'a plain text; with 2+2 and a-b"\r\n');
  for (const [text, guarded] of [
    ['x;=1+1', "x;'=1+1"],
    ['x;  "@SUM(1)', `x;'  ""@SUM(1)`],
    ['  =1', "'  =1"],
    ['"=1', `'""=1`],
    ["'=1", "''=1"],
    ['\u200b-1', "'\u200b-1"],
    ['\ufeff=1', "'\ufeff=1"],
    ['x\t=1', "x\t'=1"],
    ['\t=1', "'\t'=1"],
    ['\uff1d1+1', "'\uff1d1+1"],
    ['x|@y', "x|'@y"],
  ] as const) {
    t.is(cellOf(text), `${guarded}"\r\n`, JSON.stringify(text));
  }
  t.is(
    exportText([{ ...deliverySummary('wd_1'), preview: 'x\r\n=1', lastAttempt: null }], 'csv').endsWith(
      `"x\r\n'=1"\r\n`,
    ),
    true,
  );
});
