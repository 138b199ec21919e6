import test from 'ava';
import { MessageNotAllowed, namedFiles, nativeMessage } from '../../../platform/operations/native-message.ts';

test('a numeric file id is found', (t) => {
  t.deepEqual(namedFiles({ type: 'image', image: { id: 99 } }), ['99']);
});

for (const message of [
  { image: { id: ['99'] } },
  { image: '{"id":"99"}' },
  { template: '{"components":[]}' },
  { template: { components: "[{'parameters':[]}]" } },
]) {
  test(`a file reference in unread content is refused: ${JSON.stringify(message)}`, (t) => {
    t.throws(() => namedFiles(message), { instanceOf: MessageNotAllowed });
  });
}

test('texts and links are not files', (t) => {
  t.deepEqual(namedFiles({ type: 'image', image: { link: 'https://media.example.com/1.jpg', caption: '{x}' } }), []);
  t.deepEqual(namedFiles({ interactive: { header: { type: 'text', text: '[New]' } } }), []);
});

test("every known product word becomes the platform's word", (t) => {
  for (const word of [undefined, 'chatapp', 'whatsapp']) {
    const message = { ...(word !== undefined && { messaging_product: word }), type: 'text', to: '1' };
    t.deepEqual(nativeMessage('chatapp', message), { messaging_product: 'whatsapp', type: 'text', to: '1' });
  }
  const foreign = { messaging_product: 'pageapp', type: 'text' };
  t.throws(() => nativeMessage('chatapp', foreign), { instanceOf: MessageNotAllowed });
});
