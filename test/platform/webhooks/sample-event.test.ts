import test from 'ava';
import { type SampledEventType, sampleEvent, typicalEvents } from '../../../platform/webhooks/sample-event.ts';
import { itemsOf } from '../../harness/envelope/split-items.ts';

const types: readonly SampledEventType[] = [
  'chatapp.message.received',
  'chatapp.message.status',
  'photoapp.message.received',
  'photoapp.comment.received',
  'pageapp.message.received',
];

for (const eventType of types) {
  test(`the sample of ${eventType} is parsed correctly and has test ids`, (t) => {
    const body = sampleEvent({ eventType, resourceId: '1066', nonce: 'abc', atMs: 1_700_000_000_123 });
    const items = itemsOf(body);
    t.is(items.length, 1);
    const [item] = items;
    t.like(item, {
      eventType,
      resourceId: '1066',
      channelType: eventType.split('.')[0],
      platformMessageId: 'test-abc',
    });
    t.is(item!.sender, eventType === 'chatapp.message.status' ? null : 'test-sender');
  });
}

test('each channel type has a typical event', (t) => {
  for (const [type, eventType] of Object.entries(typicalEvents)) t.true(eventType.startsWith(`${type}.`));
});
