import { Readable } from 'node:stream';
import test from 'ava';
import { uploadFile } from '../../../platform/operations/chatapp-content.ts';
import { markRead, sendMessage, showTyping } from '../../../platform/operations/messages.ts';
import { json, operationsFor } from './test-server.ts';

test("typed calls name the product by the platform's word", async (t) => {
  const { client, seen } = await operationsFor(t, 'chatapp', {
    'POST /v22.0/77/messages': [
      json({ messages: [{ id: 'm1' }] }),
      json({ messages: [{ id: 'm2' }] }),
      json({ success: true }),
    ],
    'POST /v22.0/77/media': json({ id: '9' }),
  });

  await sendMessage(client, { to: '1', text: 'Hello' });
  await sendMessage(client, { messaging_product: 'chatapp', to: '1', type: 'text', text: { body: 'Hello' } });
  await markRead(client, { messageId: 'm1' });
  await showTyping(client, { messageId: 'm1' });
  const bytes = Readable.from([Buffer.from('png')]);
  await uploadFile(client, { bytes, contentType: 'image/png', length: 3 });

  const upload = seen.pop();
  const words = seen.map(({ body }) => JSON.parse(body).messaging_product);
  t.deepEqual(words, ['whatsapp', 'whatsapp', 'whatsapp', 'whatsapp']);
  const type = String(upload?.headers['content-type']);
  const form = await new Response(upload?.body ?? '', { headers: { 'content-type': type } }).formData();
  t.is(form.get('messaging_product'), 'whatsapp');
});
