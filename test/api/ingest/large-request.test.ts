import test from 'ava';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { chatChange, chatEnvelope } from '../../harness/envelope/split-items.ts';
import { aWebhookDestination, hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

const bytesOf = (messages: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify(chatEnvelope(chatChange('res-1', { messages }))));
const message = (id: string) => ({
  id,
  from: '4915550000',
  timestamp: '1700000000',
  type: 'text',
  text: { body: 'x' },
});

/** Fills the largest body with the shortest regular messages. */
function fullRequest(): { readonly body: Buffer; readonly ids: readonly string[] } {
  const room = MAX_BODY_BYTES - bytesOf([]).length;
  const size = JSON.stringify(message('mid.00000')).length + 1;
  const ids = Array.from({ length: Math.floor(room / size) }, (_, at) => `mid.${`${at}`.padStart(5, '0')}`);
  return { body: bytesOf(ids.map(message)), ids };
}

test('a 4 MiB request is accepted while small ones are answered', async (t) => {
  const ledger = await hotLedger(t);
  await aWebhookDestination(ledger, ledger.channel);
  const { accept } = createPlatformEvents({ pool: ledger.pool, log: rememberingLog() });
  const idsOf = async (table: string): Promise<string[]> => {
    const { rows } = await ledger.pool.query<{ id: string }>(
      `select e.platform_message_id as id from ${table} t join events e on e.id = t.${table === 'events' ? 'id' : 'event_id'}
       order by t.id`,
    );
    return rows.map(({ id }) => id);
  };
  const { body, ids } = fullRequest();
  t.true(ids.length > 35_000 && body.length <= MAX_BODY_BYTES && body.length > MAX_BODY_BYTES - 200);

  let isAnswered = false;
  const large = accept(body).then((outcome) => {
    isAnswered = true;
    return outcome;
  });
  for (const small of ['small.1', 'small.2', 'small.3']) {
    await eventually(async () => (await idsOf('events')).length > 0);
    t.is(await accept(bytesOf([message(small)])), 'accepted');
    t.false(isAnswered, `${small} is answered between the commits of the large request`);
  }
  t.is(await large, 'accepted');
  for (const table of ['events', 'deliveries']) {
    const found = await idsOf(table);
    t.deepEqual(found.filter((id) => id.startsWith('mid.')), ids); // prettier-ignore
    t.is(found.length, ids.length + 3);
  }
  t.is(await accept(body), 'accepted');
  t.is((await idsOf('events')).length, ids.length + 3, 'a repeat contains only duplicates');
});
