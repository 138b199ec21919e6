import test from 'ava';
import { type Answer, messagingFor, number, person, refusal } from '../client.ts';

const text = { type: 'text', text: { body: 'Hello' } };
const long = (length: number) => 'x'.repeat(length);

test('a message returns person and id, and signed statuses follow in order', async (t) => {
  const { send, sent, webhooksOf } = await messagingFor(t);
  const { status, body } = await send({ ...text, to: '+1 (555) 123-0001', biz_opaque_callback_data: 'mine' });
  t.is(status, 200);
  t.is(body.messaging_product, 'chatapp');
  const [{ user_id: userId, ...contact }] = body.contacts;
  t.deepEqual(contact, { input: '+1 (555) 123-0001', wa_id: person });
  t.regex(userId, /^US\.\d+$/);
  const [{ id }] = body.messages;
  t.regex(id, /^wamid\./);
  t.like(sent(), { 0: { id, product: 'chatapp', account: number, to: person, type: 'text', recipientKind: 'person' } });

  const webhooks = await webhooksOf(3);
  const values = webhooks.map(({ entry }) => entry[0].changes[0].value);
  t.deepEqual(
    values.map(({ statuses }) => statuses[0].status),
    ['sent', 'delivered', 'read'],
  );
  t.like(webhooks[0], { object: 'chatapp', entry: { 0: { id: '400000000000002' } } });
  t.like(values[0], {
    messaging_product: 'chatapp',
    metadata: { display_phone_number: '15550783881', phone_number_id: number },
    statuses: { 0: { id, recipient_id: person, timestamp: '1893456000' } },
  });
});

test('answers repeat the product word, which settings may restrict', async (t) => {
  const { send, control, webhooksOf } = await messagingFor(t);
  const real = { ...text, messaging_product: 'whatsapp' };
  t.is((await send(real)).body.messaging_product, 'whatsapp');
  t.is((await webhooksOf(3))[0].object, 'whatsapp_business_account');
  control({ words: 'real' });
  t.deepEqual(refusal(await send(text)), [400, 100, undefined]);
  t.is((await send(real)).status, 200);
  t.deepEqual(refusal(await send({ ...text, messaging_product: 'letters' })), [400, 100, undefined]);
  t.deepEqual(refusal(await send({ ...text, messaging_product: undefined })), [400, 100, undefined]);
});

const accepted: Record<string, object> = {
  'text without its type': { text: { body: 'x' }, context: { message_id: 'wamid.1' } },
  image: { type: 'image', image: { link: 'https://media.example/a.jpg', caption: 'x' } },
  video: { type: 'video', video: { link: 'https://media.example/a.mp4' } },
  document: { type: 'document', document: { link: 'https://media.example/a.pdf', filename: 'a.pdf' } },
  audio: { type: 'audio', audio: { link: 'https://media.example/a.ogg' } },
  sticker: { type: 'sticker', sticker: { link: 'https://media.example/a.webp' } },
  location: { type: 'location', location: { latitude: 52.5, longitude: '13.4', name: 'Here' } },
  contacts: { type: 'contacts', contacts: [{ name: { formatted_name: 'Kerry' } }] },
  reaction: { type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '' } },
  buttons: {
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: 'Sure?' },
      action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
    },
  },
  list: {
    type: 'interactive',
    interactive: {
      type: 'list',
      body: { text: 'Which?' },
      action: { button: 'Look', sections: [{ rows: [{ id: '1', title: 'One' }] }] },
    },
  },
  template: { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } },
  'template with parameters': {
    type: 'template',
    template: {
      name: 'spring_offer',
      language: { code: 'en_US' },
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { link: 'https://media.example/a.jpg' } }] },
        { type: 'body', parameters: [{ type: 'text', text: 'Monday' }] },
      ],
    },
  },
};

test('every type of message is accepted', async (t) => {
  const { send, sent } = await messagingFor(t);
  for (const [name, message] of Object.entries(accepted)) t.is((await send(message)).status, 200, name);
  t.is(sent().length, Object.keys(accepted).length);
});

const template = (fields: object) => ({ type: 'template', template: { language: { code: 'en_US' }, ...fields } });
const refused: readonly (readonly [string, object, number])[] = [
  ['no recipient', { ...text, to: undefined }, 100],
  ['no number', { ...text, to: 'Kerry' }, 131009],
  ['its own number', { ...text, to: '+1 555 078 3881' }, 131021],
  ['another recipient type', { ...text, recipient_type: 'crowd' }, 100],
  ['no content', { type: 'text' }, 131008],
  ['an empty text', { type: 'text', text: { body: '' } }, 131008],
  ['a long text', { type: 'text', text: { body: long(4097) } }, 100],
  ['an unknown type', { type: 'hologram', hologram: {} }, 131051],
  ['a type of the language itself', { type: 'constructor', constructor: {} }, 131051],
  ['no file', { type: 'image', image: {} }, 131008],
  ['two files', { type: 'image', image: { id: '1', link: 'https://media.example/a.jpg' } }, 100],
  ['no address', { type: 'image', image: { link: 'a.jpg' } }, 131009],
  ['an unknown file', { type: 'image', image: { id: '6600000000000001' } }, 131009],
  ['a caption to a sound', { type: 'audio', audio: { link: 'https://media.example/a.ogg', caption: 'x' } }, 100],
  ['a long caption', { type: 'image', image: { link: 'https://media.example/a.jpg', caption: long(1025) } }, 100],
  ['no longitude', { type: 'location', location: { latitude: 1 } }, 131008],
  ['no such latitude', { type: 'location', location: { latitude: 91, longitude: 1 } }, 131009],
  ['no contacts', { type: 'contacts', contacts: [] }, 131008],
  ['a contact without a name', { type: 'contacts', contacts: [{}] }, 131008],
  ['a reaction to nothing', { type: 'reaction', reaction: { emoji: 'x' } }, 131008],
  ['no buttons', { type: 'interactive', interactive: { type: 'button', body: { text: 'x' }, action: {} } }, 131009],
  ['no action', { type: 'interactive', interactive: { type: 'button', body: { text: 'x' } } }, 131008],
  ['a reply to nothing', { ...text, context: {} }, 131008],
  ['long callback data', { ...text, biz_opaque_callback_data: long(513) }, 100],
  ['an unknown template', template({ name: 'nothing' }), 132001],
  ['a template of another language', template({ name: 'hello_world', language: { code: 'fr' } }), 132001],
  ['a template without a language', { type: 'template', template: { name: 'hello_world' } }, 131008],
  ['a paused template', template({ name: 'delivery_delayed' }), 132015],
  ['missing parameters', template({ name: 'order_ready' }), 132000],
];

for (const [name, message, code] of refused) {
  test(`a message is refused with ${code}: ${name}`, async (t) => {
    const { send, sent, webhooksOf } = await messagingFor(t);
    const answer = await send(message);
    t.deepEqual(refusal(answer), [400, code, undefined]);
    t.is(answer.body.error.type, 'OAuthException');
    t.is(typeof answer.body.error.fbtrace_id, 'string');
    t.deepEqual(sent(), []);
    t.deepEqual(await webhooksOf(0), []);
  });
}

test('a missing parameter is named in the details', async (t) => {
  const { send } = await messagingFor(t);
  const { error } = (await send({ type: 'text' })).body;
  t.deepEqual(error.error_data, { messaging_product: 'chatapp', details: 'The required parameter text is missing.' });
});

test('a message may come as a form', async (t) => {
  const { call, sent } = await messagingFor(t);
  const form = { messaging_product: 'chatapp', to: person, type: 'text', text: '{"body":"[hi"}' };
  const answer = await call('POST', `/v22.0/${number}/messages`, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  t.is(answer.status, 200);
  t.like(sent()[0], { body: { text: { body: '[hi' } } });
});

test('a message is marked as read, with or without a typing indicator', async (t) => {
  const { json, actions, sent } = await messagingFor(t);
  const mark = (value: object): Promise<Answer> =>
    json(`/v22.0/${number}/messages`, { messaging_product: 'chatapp', status: 'read', ...value });
  t.deepEqual((await mark({ message_id: 'wamid.1' })).body, { success: true });
  t.is((await mark({ message_id: 'wamid.2', typing_indicator: { type: 'text' } })).status, 200);
  t.like(actions(), { 0: { type: 'read', to: 'wamid.1' }, 1: { type: 'typing', to: 'wamid.2' }, length: 2 });
  t.is(sent().length, 0);
  t.deepEqual(refusal(await mark({})), [400, 100, undefined]);
  t.deepEqual(refusal(await mark({ message_id: '7' })), [400, 131009, undefined]);
  t.deepEqual(refusal(await mark({ message_id: 'wamid.1', status: 'deleted' })), [400, 100, undefined]);
  t.deepEqual(refusal(await mark({ message_id: 'wamid.1', typing_indicator: { type: 'x' } })), [400, 100, undefined]);
});

test('only templates are accepted outside of an enabled window', async (t) => {
  const { send, event, control, clock } = await messagingFor(t);
  t.is((await send(text)).status, 200);
  control({ windows: true });
  t.deepEqual(refusal(await send(text)), [400, 131047, undefined]);
  t.is((await send(template({ name: 'hello_world' }))).status, 200);
  await event({ product: 'chatapp', kind: 'message', resourceId: number, from: person });
  t.is((await send(text)).status, 200);
  t.is((await send({ ...text, to: '15551239999' })).body.error.code, 131047);
  t.is((await send(text, '100000000000011')).body.error.code, 131047);
  clock.nowMs += 86_399_000;
  t.is((await send(text)).status, 200);
  clock.nowMs += 1_000;
  t.deepEqual(refusal(await send(text)), [400, 131047, undefined]);
});
