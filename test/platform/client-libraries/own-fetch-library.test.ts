import test, { type ExecutionContext } from 'ava';
import {
  content,
  customer,
  type Foreign,
  hmacSecret,
  installLibraries,
  type LibraryStage,
  numberId,
  requireFlows,
  startLibraryStage,
  unknownToken,
} from './library-stage.ts';

interface Loaded {
  readonly clientOf: (token: string) => Foreign;
  readonly make: (name: string, ...given: readonly unknown[]) => object;
}

/** The library has its address built in and takes a fetch function. */
async function loadLibrary(t: ExecutionContext<unknown>, { fetch }: LibraryStage): Promise<Loaded> {
  const load = await installLibraries(t);
  const { ['WhatsAppAPI']: Client } = await load('whatsapp-api-js/lib/index.js');
  const messages = await load('whatsapp-api-js/lib/messages/index.js');
  const options = { appSecret: hmacSecret, webhookVerifyToken: 'verify me', v: 'v22.0', ponyfill: { fetch } };
  return {
    clientOf: (token) => new Client({ token, ...options }),
    make: (name, ...given) => new messages[name](...given),
  };
}

test('a library with its own fetch sends and reads at the gateway', async (t) => {
  t.timeout(600_000);
  const stage = await startLibraryStage(t);
  const { clientOf, make } = await loadLibrary(t, stage);
  const client = clientOf(stage.token);
  const form = new FormData();
  form.set('type', 'text/plain');
  form.set('file', new Blob([content], { type: 'text/plain' }), 'note.txt');
  const { id: file } = await client.uploadMedia(numberId, form);
  const parameters = ['Kim', 'A1'].map((text) => make('BodyParameter', text));
  const messages = [
    make('Text', 'Hello'),
    make('Template', 'order_ready', 'en_US', make('BodyComponent', ...parameters)),
    make('Document', file, true, 'A note', 'note.txt'),
  ];

  const ids: unknown[] = [];
  for (const message of messages) ids.push((await client.sendMessage(numberId, customer, message)).messages[0].id);
  t.deepEqual(await client.markAsRead(numberId, 'wamid.inbound'), { success: true });
  t.deepEqual(await client.markAsRead(numberId, 'wamid.inbound', 'text'), { success: true });
  requireFlows(t, stage, ids);

  const found = await client.retrieveMedia(file, numberId);
  t.like(found, { id: file, mime_type: 'text/plain', file_size: content.length });
  t.is(await (await client.fetchMedia(found.url)).text(), 'Some text');
  t.deepEqual(await client.deleteMedia(file, numberId), { success: true });
});

test('a library with its own fetch shows refusals and verifies deliveries', async (t) => {
  t.timeout(600_000);
  const stage = await startLibraryStage(t);
  const { clientOf, make } = await loadLibrary(t, stage);
  const client = clientOf(stage.token);
  const send = (sender: Foreign, message: object) => sender.sendMessage(numberId, customer, message);

  const foreign = await client.retrieveMedia('999999999999');
  t.like(foreign.error, { code: 200, error_data: { details: 'PAGEAPP_SCOPE_DENIED' } });
  t.like(await send(client, make('Template', 'missing', 'en_US')), { error: { code: 132001 } });
  const unknown = await send(clientOf(unknownToken), make('Text', 'Hello'));
  t.like(unknown.error, { code: 190, message: 'This channel token is unknown, revoked or expired.' });

  const received: unknown[] = [];
  client.on.message = ({ from, phoneID, message }: Foreign) =>
    received.push({ from, phoneID, text: message.text.body });
  const { body, signature } = await stage.receive('Grüße');
  await client.post(JSON.parse(body), body, signature);
  t.deepEqual(received, [{ from: customer, phoneID: numberId, text: 'Grüße' }]);
  await t.throwsAsync(client.post(JSON.parse(body), `${body} `, signature));
  const handshake = { 'hub.mode': 'subscribe', 'hub.verify_token': 'verify me', 'hub.challenge': '12345' };
  t.is(client.get(handshake), '12345');
});
