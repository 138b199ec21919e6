import test from 'ava';
import type { EgressError } from '../../../contract/deliveries/egress-errors.ts';
import type { Answer } from '../../../simulator/receiver/answer.ts';
import { accepted, anItem, deliveryRows } from '../../harness/deliveries/hot-ledger.ts';
import { pumpStage } from '../../harness/deliveries/pump-stage.ts';
import { eventually } from '../../harness/eventually.ts';

const raw = (...pieces: string[]): Answer => ({ mode: 'raw', raw: pieces });
const rawReset = (...pieces: string[]): Answer => ({ ...raw(...pieces), rawEnd: 'reset' });
const headers = (byteCount: number): string =>
  Array.from({ length: byteCount / 1_000 }, (_, n) => `x-${String(n).padStart(3, '0')}: ${'v'.repeat(991)}\r\n`).join(
    '',
  );

const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = 'content-length: 0\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';

/** Accepted, and never repeated. `cut`: what the attempt records. */
const acceptedAnswers: Readonly<Record<string, readonly [Answer, number, EgressError | null]>> = {
  'a plain 200': [{}, 200, null],
  'a 201 with a body': [{ status: 201, body: 'made' }, 201, null],
  'a 202': [{ status: 202 }, 202, null],
  'a 204': [{ status: 204 }, 204, null],
  'an unknown 2xx': [raw('HTTP/1.1 299 Odd\r\n', EMPTY), 299, null],
  'HTTP/1.0 without a length': [raw('HTTP/1.0 200 OK\r\n\r\nthanks'), 200, null],
  'no reason phrase': [raw('HTTP/1.1 200\r\n', EMPTY), 200, null],
  'a body up to the close': [raw(OK, '\r\nthanks'), 200, null],
  'byte by byte': [raw(...`${CONTINUE}${OK}${EMPTY}`), 200, null],
  'a 204 with a body': [raw('HTTP/1.1 204 No Content\r\ncontent-length: 3\r\n\r\nodd'), 204, null],
  'a body longer than its length': [raw(OK, 'content-length: 2\r\n\r\nlong'), 200, null],
  'a body that is cut': [raw(OK, 'content-length: 10\r\n\r\nhalf'), 200, 'reset'],
  'a body that never begins': [raw(OK, 'content-length: 10\r\n\r\n'), 200, 'reset'],
  'a body that is reset': [rawReset(OK, 'content-length: 10\r\n\r\nhalf'), 200, 'reset'],
  'a chunk that is cut': [raw(OK, 'transfer-encoding: chunked\r\n\r\nff\r\nhalf'), 200, 'reset'],
  'chunks without an end': [raw(OK, 'transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'), 200, 'reset'],
  'chunks without lengths': [raw(OK, 'transfer-encoding: chunked\r\n\r\nthanks'), 200, 'bad_response'],
  'a body that claims to be compressed': [
    raw(OK, 'content-encoding: gzip\r\ncontent-length: 5\r\n\r\nplain'),
    200,
    null,
  ],
  'a 100 before': [raw(CONTINUE, OK, EMPTY), 200, null],
  'a 100 in the same packet': [raw(CONTINUE + OK + EMPTY), 200, null],
  'a 100 before a body that is reset': [rawReset(CONTINUE, OK, 'content-length: 9\r\n\r\nhalf'), 200, 'reset'],
  'two 100s before': [raw(CONTINUE, CONTINUE, OK, EMPTY), 200, null],
  'a 100 with headers before': [raw('HTTP/1.1 100\r\nconnection: keep-alive\r\nx: y\r\n\r\n', OK, EMPTY), 200, null],
  'a 100 with bare line feeds': [raw('HTTP/1.1 100 Continue\n\n', OK, EMPTY), 200, null],
  'a 101 before': [raw(SWITCH, OK, EMPTY), 200, null],
  'a 102 before': [raw('HTTP/1.1 102 Processing\r\n\r\n', OK, EMPTY), 200, null],
  'a 103 before': [raw(HINTS, OK, EMPTY), 200, null],
  'all of them before': [raw(CONTINUE, HINTS, SWITCH, HINTS, 'HTTP/1.1 199 Odd\r\n\r\n', OK, EMPTY), 200, null],
  '20 KB of headers': [raw(OK, headers(20_000), EMPTY), 200, null],
  '60 KB of headers': [raw(OK, headers(60_000), EMPTY), 200, null],
  '200 headers': [raw(OK, 'x: y\r\n'.repeat(200), EMPTY), 200, null],
};

/** Each is attempted again. */
const repeatedAnswers: Readonly<Record<string, readonly [Answer, number | null, EgressError | null]>> = {
  'a redirect': [{ mode: 'redirect', location: '/elsewhere' }, 302, null],
  'a 304': [{ status: 304 }, 304, null],
  'a 400': [{ status: 400 }, 400, null],
  'a 500 that is cut': [raw('HTTP/1.1 500 Oops\r\ncontent-length: 10\r\n\r\nhalf'), 500, 'reset'],
  'a 503 that is reset': [rawReset('HTTP/1.1 503 Oops\r\ncontent-length: 10\r\n\r\nhalf'), 503, 'reset'],
  'a 500 after a 100': [raw(CONTINUE, 'HTTP/1.1 500 Oops\r\n', EMPTY), 500, null],
  'a reset': [{ mode: 'reset' }, null, 'reset'],
  'a close': [raw(), null, 'reset'],
  'a 100 and a close': [raw(CONTINUE), null, 'reset'],
  'a head that is cut': [raw(OK, 'content-le'), null, 'reset'],
  'half a status line': [raw('HTTP/1.1 '), null, 'reset'],
  'another protocol': [raw('220 mail.example.com ready\r\n'), null, 'bad_response'],
  '70 KB of headers': [raw(OK, headers(70_000), EMPTY), null, 'bad_response'],
  'endless 100s': [raw(...Array.from({ length: 70 }, () => `HTTP/1.1 100 Continue\r\n${headers(1_000)}\r\n`)), null, 'bad_response'], // prettier-ignore
};

const rows = [
  ...Object.entries(acceptedAnswers).map(([name, row]) => ({ name, row, status: 'delivered' })),
  ...Object.entries(repeatedAnswers).map(([name, row]) => ({ name, row, status: 'retrying' })),
];

test('each odd receiver has its outcome and its repeats', async (t) => {
  const stage = await pumpStage(t);
  stage.startPump();
  let conversationKey = 0;

  async function send(answer: Answer) {
    stage.webhook.set({ answers: [answer] });
    const [id] = await accepted(stage.pool, [anItem({ conversationKey: ++conversationKey })]);
    const find = async () => (await deliveryRows(stage.pool)).find((row) => row.id === id)!;
    await eventually(async () => (await find()).status !== 'pending');
    const attempt = { outcome: 'outcome', status: 'status', error: 'error', count: stage.db.raw('count(*) over ()') };
    const attempts = await stage.db('attempts').where({ delivery_id: id }).select(attempt);
    return { delivery: (await find()).status, ...attempts[0] };
  }

  for (const { name, row, status } of rows) {
    const [answer, code, error] = row;
    const outcome = status === 'delivered' ? 'accepted' : code === null ? 'no_response' : 'rejected';
    t.deepEqual(await send(answer), { delivery: status, outcome, status: code, error, count: 1 }, name);
    if (status === 'retrying') t.like(await send({}), { delivery: 'delivered' }); // keeps the circuit closed
  }
  t.is(stage.webhook.deliveries().length, rows.length + Object.keys(repeatedAnswers).length);
});
