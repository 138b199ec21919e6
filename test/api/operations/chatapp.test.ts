import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { platformStage } from '../../harness/operations/platform-stage.ts';

const asImage = { headers: { 'content-type': 'image/png' } };

test('an uploaded file downloads unchanged', async (t) => {
  const stage = await platformStage(t, 'chatapp');
  const bytes = randomBytes(300_000);
  const headers = { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'image/png' };
  const up = await fetch(`${stage.url}${stage.path}/chatapp/media`, { method: 'POST', headers, body: bytes });
  const { mediaId } = (await up.json()) as { mediaId: string };
  const down = await fetch(`${stage.url}${stage.path}/chatapp/media/${mediaId}`, { headers });
  t.is(down.status, 200);
  t.is(down.headers.get('content-type'), 'image/png');
  t.is(down.headers.get('content-disposition'), 'attachment');
  t.is(down.headers.get('x-content-type-options'), 'nosniff');
  t.true(Buffer.from(await down.arrayBuffer()).equals(bytes));
});

test("an uploaded form gets the platform's product name", async (t) => {
  const stage = await platformStage(t, 'chatapp');
  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'menu.pdf');
  form.set('type', 'application/pdf');
  const headers = { authorization: `Bearer ${stage.apiKey}` };
  const up = await fetch(`${stage.url}${stage.path}/chatapp/media`, { method: 'POST', headers, body: form });
  t.is(up.status, 200, await up.clone().text());
  const { mediaId } = (await up.json()) as { mediaId: string };
  const down = await fetch(`${stage.url}${stage.path}/chatapp/media/${mediaId}`, { headers });
  t.is(await down.text(), '%PDF-1.7');
});

test('an oversized file is refused and never completes at the platform', async (t) => {
  const stage = await platformStage(t, 'chatapp');
  await stage.expectRefusal('PAYLOAD_TOO_LARGE', 'POST /chatapp/media', 'x'.repeat(1024 * 1024 + 1), asImage);
  t.deepEqual(stage.calls, []);
  const { url, path, apiKey } = stage;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'image/png', 'transfer-encoding': 'chunked' };
  const status = await new Promise((resolve, reject) => {
    const upload = httpRequest(`${url}${path}/chatapp/media`, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      void text(response);
    });
    upload.on('error', reject);
    for (let count = 0; count < 20; count++) upload.write(Buffer.alloc(64 * 1024));
    upload.end();
  });
  t.is(status, 413);
});

test('an upload with an invalid content type is refused', async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'chatapp');
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary="a b\\"',
    'image',
    'image/png, text/html',
  ]) {
    await expectRefusal('UNSUPPORTED_MEDIA_TYPE', 'POST /chatapp/media', 'x', { headers: { 'content-type': type } });
  }
  t.deepEqual(calls, []);
});

test('an unanswered upload fails and reports that nothing was sent', async (t) => {
  const { expectRefusal, platform } = await platformStage(t, 'chatapp');
  platform.messaging.control({ faults: [{ at: 'upload', lost: 'after' }] });
  t.regex(await expectRefusal('PLATFORM_UNAVAILABLE', 'POST /chatapp/media', 'png', asImage), /Nothing was sent/);
});

test('a download of an unknown or unavailable file is refused', async (t) => {
  const { ok, expectRefusal, platform } = await platformStage(t, 'chatapp');
  await expectRefusal('VALIDATION_ERROR', 'GET /chatapp/media/6612345678901234');
  const { mediaId } = await ok('POST /chatapp/media', 'png', asImage);
  platform.messaging.control({ faults: [{ at: 'download', httpStatus: 503 }] });
  await expectRefusal('PLATFORM_UNAVAILABLE', `GET /chatapp/media/${mediaId}`);
});

for (const [what, disposition] of [
  ['a token', 'name="access_token"'],
  ['another method', 'name="method"'],
  ['another object', 'name="post_id"'],
  ['two names', 'name="a"; name="method"'],
] as const) {
  test(`a form with ${what} is refused and never completes at the platform`, async (t) => {
    const { expectRefusal, calls } = await platformStage(t, 'chatapp');
    const part = (head: string) => `--XX\r\ncontent-disposition: form-data; ${head}\r\n\r\nx\r\n`;
    const form = `${part(disposition)}${part('name="file"; filename="a.png"')}--XX--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=XX' };

    await expectRefusal('VALIDATION_ERROR', 'POST /chatapp/media', form, { headers });

    t.true(
      calls.every(({ status }) => status === null),
      'the platform had nothing whole to answer',
    );
  });
}

test('the platform gets its own product name for any client form', async (t) => {
  const stage = await platformStage(t, 'chatapp');
  stage.platform.messaging.control({ words: 'real' });
  const headers = { authorization: `Bearer ${stage.apiKey}` };
  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'menu.pdf');
  form.set('type', 'application/pdf');
  form.set('messaging_product', 'chatapp');
  const up = await fetch(`${stage.url}${stage.path}/chatapp/media`, { method: 'POST', headers, body: form });
  t.is(up.status, 200, await up.clone().text());
  await stage.ok('POST /messages', {
    messaging_product: 'chatapp',
    to: '15551230000',
    type: 'text',
    text: { body: 'x' },
  });
});

test('a number is registered with its PIN', async (t) => {
  const { platform, resourceId, ok, call, expectRefusal, db, channel } = await platformStage(t, 'chatapp');
  const message = { to: '15550100', text: 'Hello' };
  platform.consent({ numberFacts: { [resourceId]: { status: 'PENDING', pin: '271828' } } });
  t.regex((await call('POST /messages', message)).body.message, /133010/);
  await db('channel_health').where({ channel_id: channel.id }).update({ account_status: 'not_registered' });

  const route = 'POST /chatapp/registration';
  for (const pin of ['12345', '1234567', 'abcdef', 123456]) await expectRefusal('VALIDATION_ERROR', route, { pin });
  t.regex(await expectRefusal('VALIDATION_ERROR', route, { pin: '000000' }), /PIN is wrong/);
  t.deepEqual(await ok(route, { pin: '271828' }), { channelId: channel.publicId, registered: true });
  await ok('POST /messages', message);
  t.is((await db('channel_health').where({ channel_id: channel.id }).first()).account_status, 'connected');
  t.truthy(await db('audit_entries').where({ action: 'channel.registered' }).first());

  platform.consent({ numberFacts: { [resourceId]: { codeStatus: 'NOT_VERIFIED' } } });
  t.regex(await expectRefusal('VALIDATION_ERROR', route, { pin: '271828' }), /not verified/);
});

test('only a chatapp channel has a number to register', async (t) => {
  const { expectRefusal } = await platformStage(t, 'pageapp');
  await expectRefusal('CHANNEL_TYPE_MISMATCH', 'POST /chatapp/registration', { pin: '271828' });
});
