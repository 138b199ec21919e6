import { createHash } from 'node:crypto';
import test from 'ava';
import { messagingFor, number, refusal } from '../client.ts';

const picture = Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x0d, 0x0a, 0x2d, 0x2d, 0x80]);
const file = (content: Uint8Array = picture, type = 'image/jpeg') =>
  new File([new Uint8Array(content)], 'a.jpg', { type });
const fields = { messaging_product: 'chatapp', type: 'image/jpeg', file: file() };

test('a file is uploaded, described, downloaded unchanged and deleted', async (t) => {
  const { upload, call, url } = await messagingFor(t);
  const uploaded = await upload(fields);
  t.is(uploaded.status, 200);
  const { id } = uploaded.body;
  t.deepEqual(Object.keys(uploaded.body), ['id']);

  const { body } = await call('GET', `/v22.0/${id}?phone_number_id=${number}`);
  const { url: address, ...info } = body;
  t.true(address.startsWith(`${url}/attachments/?mid=${id}&`));
  const sha256 = createHash('sha256').update(picture).digest('hex');
  t.deepEqual(info, { mime_type: 'image/jpeg', sha256, file_size: picture.length, id, messaging_product: 'chatapp' });

  const download = await call('GET', address);
  t.is(download.headers['content-type'], 'image/jpeg');
  t.deepEqual(download.bytes, picture);
  t.is((await call('GET', address, { headers: { authorization: '' } })).status, 401);

  t.deepEqual((await call('DELETE', `/v22.0/${id}`)).body, { success: true });
  t.deepEqual(refusal(await call('GET', `/v22.0/${id}`)), [400, 100, 33]);
  t.deepEqual(refusal(await call('DELETE', `/v22.0/${id}`)), [400, 100, 33]);
  t.is((await call('GET', address)).status, 404);
});

test('the URL of a file expires after five minutes and is signed', async (t) => {
  const { upload, call, clock } = await messagingFor(t);
  const { id } = (await upload(fields)).body;
  const { url } = (await call('GET', `/v22.0/${id}`)).body;
  t.is((await call('GET', url.replace(/ext=\d+/, 'ext=99999999999'))).status, 404);
  clock.nowMs += 299_000;
  t.is((await call('GET', url)).status, 200);
  clock.nowMs += 1_000;
  t.is((await call('GET', url)).status, 404);
});

test('a file belongs to the number that uploaded it', async (t) => {
  const { upload, call, send } = await messagingFor(t);
  const { id } = (await upload(fields)).body;
  const message = { type: 'image', image: { id } };
  t.is((await send(message)).status, 200);
  t.is((await send(message, '100000000000011')).body.error.code, 131009);
  t.deepEqual(refusal(await call('GET', `/v22.0/${id}?phone_number_id=100000000000011`)), [400, 100, 33]);
});

test('invalid files are refused', async (t) => {
  const { upload, call } = await messagingFor(t);
  const { messaging_product: _product, ...unnamed } = fields;
  for (const wrong of [
    { messaging_product: 'chatapp', type: 'image/jpeg' },
    unnamed,
    { ...fields, messaging_product: 'letters' },
    { ...fields, type: 'image/tiff' },
    { ...fields, file: file(Buffer.alloc(0)) },
    { ...fields, file: file(Buffer.alloc(5 * 1024 * 1024 + 1)) },
  ]) {
    t.deepEqual(refusal(await upload(wrong)), [400, 100, undefined]);
  }
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  t.deepEqual(refusal(await call('POST', `/v22.0/${number}/media`, { body: 'no form', headers })), [
    400,
    100,
    undefined,
  ]);
  t.is((await upload({ ...fields, file: file(Buffer.alloc(21 * 1024 * 1024)) })).status, 413);
});

test('sixteen megabytes are kept, and the oldest files are dropped', async (t) => {
  const { upload, call } = await messagingFor(t);
  const big = { ...fields, type: 'application/pdf', file: file(Buffer.alloc(7 * 1024 * 1024), 'application/pdf') };
  const ids = [];
  for (let count = 0; count < 3; count++) ids.push((await upload(big)).body.id);
  const statuses = await Promise.all(ids.map(async (id) => (await call('GET', `/v22.0/${id}`)).status));
  t.deepEqual(statuses, [400, 200, 200]);
});
