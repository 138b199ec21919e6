import test from 'ava';
import { messagingFor, number, refusal } from '../client.ts';

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
  const { call } = await messagingFor(t);
  const count = async (query: string) => (await call('GET', `${templatesPath}?${query}`)).body.data.length;
  t.is(await count('name=order_ready'), 2);
  t.is(await count('name=order_ready&language=de'), 1);
  t.is(await count('status=paused'), 1);
  t.is(await count('name=nothing'), 0);
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
    display_phone_number: '+1 555 078 3881',
    verified_name: 'Demo number',
    quality_rating: 'GREEN',
  });
  const asked = await call('GET', `/v22.0/${number}?fields=display_phone_number`);
  t.deepEqual(asked.body, { display_phone_number: '+1 555 078 3881', id: number });
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
