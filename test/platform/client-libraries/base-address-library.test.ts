import test, { type ExecutionContext } from 'ava';
import {
  businessId,
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
  readonly webhooks: Foreign;
}

const to = { phoneNumberId: numberId, to: customer };
const read = { phoneNumberId: numberId, messageId: 'wamid.inbound' };

/** The library has an option for its base address. */
async function loadLibrary(t: ExecutionContext<unknown>, { gatewayUrl }: LibraryStage): Promise<Loaded> {
  const load = await installLibraries(t);
  const { ['WhatsAppClient']: Client } = await load('@kapso/whatsapp-cloud-api/dist/index.js');
  const options = { baseUrl: `${gatewayUrl}/platform`, graphVersion: 'v22.0' };
  return {
    clientOf: (accessToken) => new Client({ accessToken, ...options }),
    webhooks: await load('@kapso/whatsapp-cloud-api/dist/server.js'),
  };
}

test('a library with a base address sends and reads at the gateway', async (t) => {
  t.timeout(600_000);
  const stage = await startLibraryStage(t);
  const { messages, media } = (await loadLibrary(t, stage)).clientOf(stage.token);
  const file = { file: new Blob([content], { type: 'text/plain' }), fileName: 'note.txt' };
  const { id: mediaId } = await media.upload({ phoneNumberId: numberId, type: 'text/plain', ...file });
  const parameters = ['Kim', 'A1'].map((text) => ({ type: 'text', text }));
  const template = { name: 'order_ready', language: { code: 'en_US' }, components: [{ type: 'body', parameters }] };

  const answers = [
    await messages.sendText({ ...to, body: 'Hello' }),
    await messages.sendTemplate({ ...to, template }),
    await messages.sendDocument({ ...to, document: { id: mediaId, filename: 'note.txt' } }),
  ];
  t.like(await messages.markRead(read), { success: true });
  t.like(await messages.markRead({ ...read, typingIndicator: { type: 'text' } }), { success: true });
  const ids = answers.map(({ messages: [message] }: Foreign) => message.id);
  requireFlows(t, stage, ids);

  const found = await media.get({ mediaId, phoneNumberId: numberId });
  t.like(found, { mimeType: 'text/plain', fileSize: content.length });
  const downloaded = await media.download({ mediaId, phoneNumberId: numberId, auth: 'always' });
  t.deepEqual(new Uint8Array(downloaded), content);
  t.like(await media.delete({ mediaId }), { success: true });
});

test('a library with a base address reads profile and templates', async (t) => {
  t.timeout(600_000);
  const stage = await startLibraryStage(t);
  const { phoneNumbers, templates } = (await loadLibrary(t, stage)).clientOf(stage.token);
  const { businessProfile } = phoneNumbers;
  await businessProfile.update({ phoneNumberId: numberId, about: 'Fresh bread' });

  const profile = await businessProfile.get({ phoneNumberId: numberId, fields: 'about,vertical,certificate' });
  const asked = { businessAccountId: businessId, name: 'order_ready', limit: 1 };
  const first = await templates.list(asked);
  const second = await templates.list({ ...asked, after: first.paging.cursors.after });

  t.like(profile.data, [{ about: 'Fresh bread', vertical: 'UNDEFINED' }]);
  t.deepEqual([first, second].map(({ data }: Foreign) => data[0].language), ['en_US', 'de']); // prettier-ignore
});

test('a library with a base address shows refusals and verifies deliveries', async (t) => {
  t.timeout(600_000);
  const stage = await startLibraryStage(t);
  const { clientOf, webhooks } = await loadLibrary(t, stage);
  const { templates, media } = clientOf(stage.token);
  const refusalOf = async (act: Promise<unknown>): Promise<object> => ({ ...(await t.throwsAsync(act)) });

  const cursor = await refusalOf(templates.list({ businessAccountId: businessId, after: 'nowhere' }));
  const foreign = await refusalOf(media.get({ mediaId: '0' }));
  const unknown = await refusalOf(clientOf(unknownToken).messages.sendText({ ...to, body: 'Hello' }));
  t.like(cursor, { httpStatus: 400, code: 100, category: 'parameter' });
  t.like(foreign, { httpStatus: 403, code: 200, category: 'permission', details: 'PAGEAPP_SCOPE_DENIED' });
  t.like(unknown, { httpStatus: 401, code: 190, category: 'authorization', details: 'AUTH_REQUIRED' });

  const { body, signature: signatureHeader } = await stage.receive('Grüße');
  t.true(webhooks.verifySignature({ appSecret: hmacSecret, rawBody: body, signatureHeader }));
  t.false(webhooks.verifySignature({ appSecret: hmacSecret, rawBody: `${body} `, signatureHeader }));
  const { phoneNumberId, messages } = webhooks.normalizeWebhook(JSON.parse(body));
  t.is(phoneNumberId, numberId);
  t.like(messages, [{ from: customer, text: { body: 'Grüße' } }]);
});
