import test from 'ava';
import { refusal } from '../api-server.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { messagingFor, number } from './client.ts';

const business = '400000000000002';
const templatesPath = `/v22.0/${business}/message_templates`;

test('templates are listed with all their fields', async (t) => {
  const { call } = await messagingFor(t);
  const { status, body } = await call('GET', templatesPath);
  t.is(status, 200);
  t.is(body.data.length, 5);
  t.like(body.data[1], { name: 'order_ready', language: 'en_US', status: 'APPROVED', category: 'UTILITY' });
  t.is(body.data[1].parameter_format, 'POSITIONAL');
  t.is(body.data[1].components[0].type, 'BODY');
  t.is(typeof body.paging.cursors.after, 'string');
  t.false('next' in body.paging);
});

test('templates are paged forward and back, and next holds the token', async (t) => {
  const { call } = await messagingFor(t);
  const names = async (query: string) => {
    const { body } = await call('GET', `${templatesPath}?fields=name&limit=2${query}`);
    return { ids: body.data.map(({ id }: { id: string }) => id.slice(-1)), paging: body.paging };
  };
  const first = await names('');
  t.deepEqual(first.ids, ['1', '2']);
  const next = new URL(first.paging.next);
  t.is(next.searchParams.get('access_token'), 'token');
  t.is(next.searchParams.get('after'), first.paging.cursors.after);
  t.is((await call('GET', first.paging.next)).body.data.length, 2);
  const second = await names(`&after=${first.paging.cursors.after}`);
  t.deepEqual(second.ids, ['3', '4']);
  const third = await names(`&after=${second.paging.cursors.after}`);
  t.deepEqual(third.ids, ['5']);
  t.is(third.paging.next, undefined);
  t.deepEqual((await names(`&before=${third.paging.cursors.before}`)).ids, ['3', '4']);
});

test('templates are filtered by name, language and status', async (t) => {
  const { call, control } = await messagingFor(t);
  const count = async (query: string) => (await call('GET', `${templatesPath}?${query}`)).body.data.length;
  t.is(await count('name=order_ready'), 2);
  t.is(await count('name=order_ready&language=de'), 1);
  t.is(await count('status=paused'), 1);
  t.is(await count('name=nothing'), 0);
  control({ templates: [{ name: 'mine', components: [{ type: 'BODY', text: 'Hi {{first_name}}' }] }] });
  const { data } = (await call('GET', templatesPath)).body;
  t.like(data, { length: 1, 0: { name: 'mine', parameter_format: 'NAMED', language: 'en_US' } });
});

test('invalid template queries are refused', async (t) => {
  const { call } = await messagingFor(t);
  for (const query of ['fields=secret', 'limit=0', 'limit=x', 'after=nowhere']) {
    t.deepEqual(refusal(await call('GET', `${templatesPath}?${query}`)), [400, 100, undefined], query);
  }
  t.deepEqual(refusal(await call('GET', `/v22.0/${number}/message_templates`)), [400, 100, undefined]);
});

test('a number has name and quality, even if it is unknown', async (t) => {
  const { call } = await messagingFor(t);
  const { body } = await call('GET', `/v22.0/${number}`);
  t.like(body, {
    id: number,
    display_phone_number: '+1 555 010 0001',
    verified_name: 'Demo number',
    quality_rating: 'GREEN',
  });
  const asked = await call('GET', `/v22.0/${number}?fields=display_phone_number`);
  t.deepEqual(asked.body, { display_phone_number: '+1 555 010 0001', id: number });
  t.deepEqual((await call('GET', '/v22.0/77?fields=id,verified_name')).body, { id: '77', verified_name: 'Number 77' });
  t.deepEqual(refusal(await call('GET', `/v22.0/${number}?fields=secret`)), [400, 100, undefined]);
});

test('a profile is stored and read field by field', async (t) => {
  const { call, json } = await messagingFor(t);
  const path = `/v22.0/${number}/whatsapp_business_profile`;
  t.deepEqual((await call('GET', path)).body, { data: [{ messaging_product: 'chatapp' }] });
  const change = { messaging_product: 'chatapp', about: 'Bread', websites: ['https://bakery.example'] };
  t.deepEqual((await json(path, change)).body, { success: true });
  await json(path, { messaging_product: 'chatapp', email: 'a@bakery.example' });
  const { body } = await call('GET', `${path}?fields=about,email,websites,address`);
  const { messaging_product: _product, ...kept } = change;
  t.deepEqual(body.data, [{ ...kept, email: 'a@bakery.example', messaging_product: 'chatapp' }]);
  for (const wrong of [{ about: 'x'.repeat(140) }, { websites: ['1', '2', '3'] }, { colour: 'red' }]) {
    t.deepEqual(refusal(await json(path, { messaging_product: 'chatapp', ...wrong })), [400, 100, undefined]);
  }
  t.deepEqual(refusal(await json(path, { about: 'x' })), [400, 100, undefined]);
  t.deepEqual(refusal(await call('GET', `${path}?fields=secret`)), [400, 100, undefined]);
});

test('a number is registered with a pin of six digits', async (t) => {
  const { json } = await messagingFor(t);
  const path = `/v22.0/${number}/register`;
  t.deepEqual((await json(path, { messaging_product: 'chatapp', pin: '123456' })).body, { success: true });
  t.deepEqual(refusal(await json(path, { messaging_product: 'chatapp', pin: '12' })), [400, 100, undefined]);
});

test('blocked users, shop, links and automation are stored', async (t) => {
  const { call, json } = await messagingFor(t);
  const at = (edge: string): string => `/v22.0/${number}/${edge}`;
  const product = { messaging_product: 'chatapp' };
  const read = async (edge: string) => (await call('GET', at(edge))).body;

  const blocked = await json(at('block_users'), { ...product, block_users: [{ user: '+1 555 0002' }] });
  t.deepEqual(blocked.body.block_users, { added_users: [{ input: '+1 555 0002', wa_id: '15550002' }] });
  t.deepEqual((await read('block_users')).data, [{ ...product, wa_id: '15550002' }]);
  t.deepEqual(refusal(await json(at('block_users'), { block_users: [] })), [400, 100, undefined]);

  t.deepEqual((await json(at('whatsapp_commerce_settings'), { is_catalog_visible: true })).body, { success: true });
  t.deepEqual((await read('whatsapp_commerce_settings')).data, [
    { is_cart_enabled: true, is_catalog_visible: true, id: number },
  ]);

  const { body: link } = await json(at('message_qrdls'), { prefilled_message: 'Hello' });
  t.deepEqual((await read('message_qrdls')).data, [link]);
  await json(at('message_qrdls'), { code: link.code, prefilled_message: 'Good morning' });
  t.deepEqual((await read('message_qrdls')).data, [{ ...link, prefilled_message: 'Good morning' }]);
  t.deepEqual(refusal(await json(at('message_qrdls'), { code: 'none', prefilled_message: 'x' })), [
    400,
    100,
    undefined,
  ]);

  const automation = { enable_welcome_message: true, prompts: ['Book a table'] };
  t.deepEqual((await json(at('conversational_automation'), automation)).body, { success: true });
  t.deepEqual(await read('conversational_automation'), { ...automation, id: number });
  t.deepEqual(refusal(await json(at('conversational_automation'), { prompts: [1, 2, 3, 4, 5] })), [
    400,
    100,
    undefined,
  ]);
});

test('templates are created, changed and deleted', async (t) => {
  const { call, json } = await messagingFor(t);
  const components = [{ type: 'BODY', text: 'We close early.' }];
  const input = { name: 'early_close', language: 'en_US', category: 'UTILITY', components };
  const { body: created } = await json(templatesPath, input);
  t.like(created, { status: 'APPROVED', category: 'UTILITY' });
  t.deepEqual(refusal(await json(templatesPath, input)), [400, 100, undefined]);
  t.deepEqual((await json(`/v22.0/${created.id}`, { category: 'MARKETING' })).body, { success: true });
  const upserted = await json(`/v22.0/${business}/upsert_message_templates`, { ...input, languages: ['en_US', 'de'] });
  t.like(upserted.body.data, { 0: { id: created.id, language: 'en_US' }, 1: { language: 'de' }, length: 2 });
  const { body: read } = await call('GET', `/v22.0/${created.id}?fields=name,category`);
  t.deepEqual(read, { id: created.id, name: 'early_close', category: 'UTILITY' });
  t.deepEqual((await call('DELETE', `${templatesPath}?name=early_close&hsm_id=${created.id}`)).body, { success: true });
  const { data } = (await call('GET', `${templatesPath}?name=early_close`)).body;
  t.like(data, { 0: { language: 'de' }, length: 1 });
  for (const wrong of [{}, { ...input, name: 'Wrong Name' }, { ...input, components: [] }]) {
    t.deepEqual(refusal(await json(templatesPath, wrong)), [400, 100, undefined]);
  }
  t.deepEqual(refusal(await call('DELETE', `${templatesPath}?name=nothing`)), [400, 100, undefined]);
});

test('previews name each language, and analytics need a period', async (t) => {
  const { call } = await messagingFor(t);
  const previews = `/v22.0/${business}/message_template_previews`;
  const { body } = await call('GET', `${previews}?category=AUTHENTICATION&languages=en_US,de`);
  t.deepEqual(fieldsOf(body.data, 'language'), ['en_US', 'de']);
  const analytics = `/v22.0/${business}/template_analytics`;
  t.deepEqual(refusal(await call('GET', analytics)), [400, 100, undefined]);
  const query = 'start=1&end=2&granularity=DAILY&template_ids=[700000000000001]';
  t.deepEqual((await call('GET', `${analytics}?${query}`)).body.data[0].data_points, []);
});

test('users are unblocked by the body of a DELETE', async (t) => {
  const { call, json } = await messagingFor(t);
  const path = `/v22.0/${number}/block_users`;
  const users = { messaging_product: 'chatapp', block_users: [{ user: '15550002' }] };
  await json(path, users);
  const headers = { 'content-type': 'application/json' };
  t.is((await call('DELETE', path, { headers, body: JSON.stringify(users) })).status, 200);
  t.deepEqual((await call('GET', path)).body.data, []);
});

test('only marketing templates are sent as marketing messages', async (t) => {
  const { json, sent, control } = await messagingFor(t);
  control({
    templates: [
      { name: 'offer', category: 'MARKETING', components: [{ type: 'BODY', text: 'Half price' }] },
      { name: 'ready', components: [{ type: 'BODY', text: 'Ready' }] },
    ],
  });
  const send = (value: object) =>
    json(`/v22.0/${number}/marketing_messages`, { messaging_product: 'chatapp', to: '15551230001', ...value });
  const template = (name: string) => ({ type: 'template', template: { name, language: { code: 'en_US' } } });
  const { body } = await send(template('offer'));
  t.is(body.messages[0].message_status, 'accepted');
  t.deepEqual(refusal(await send(template('ready'))), [400, 134100, undefined]);
  t.deepEqual(refusal(await send({ text: { body: 'Hello' } })), [400, 134100, undefined]);
  t.is(sent().length, 1);
});
