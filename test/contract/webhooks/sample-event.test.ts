import test from 'ava';
import { eventTypes } from '../../../contract/event-types.ts';
import { sampleEvent, typicalEvents } from '../../../contract/webhooks/sample-event.ts';
import { itemsOf } from '../../harness/envelope/split-items.ts';

for (const eventType of eventTypes) {
  test(`the sample of ${eventType} is parsed correctly and has test ids`, (t) => {
    const body = sampleEvent({ eventType, resourceId: '1066', nonce: 'abc', atMs: 1_700_000_000_123 });
    const items = itemsOf(body);
    t.is(items.length, 1);
    const [item] = items;
    const channelType = eventType.split('.')[0];
    t.like(item, { eventType, channelType });
    t.true(item!.platformMessageId === null || item!.platformMessageId === 'test-abc');
    t.true(item!.sender === null || item!.sender === 'test-sender');
    if (eventType !== 'chatapp.other.received') t.is(item!.resourceId, '1066');
  });
}

test('each channel type has a typical event', (t) => {
  for (const [type, eventType] of Object.entries(typicalEvents)) t.true(eventType.startsWith(`${type}.`));
});
