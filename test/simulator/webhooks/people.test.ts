import test from 'ava';
import { controlEvent, type ControlEventInput } from '../../../simulator/webhooks/control-event.ts';
import { envelope } from '../../../simulator/webhooks/envelope.ts';
import { eventItems } from '../../../simulator/webhooks/event-items.ts';
import { businessScopedId } from '../../../simulator/webhooks/platform-ids.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { itemsOf } from '../../harness/envelope/split-items.ts';

const PHONE = '15551230001';
const USER = businessScopedId('15551230002');
const kinds: readonly Omit<ControlEventInput, 'product' | 'resourceId'>[] = [
  { kind: 'message' },
  { kind: 'message', isEcho: true },
  { kind: 'status' },
  { kind: 'call' },
  { kind: 'preference' },
  { kind: 'contact' },
  { kind: 'history' },
];

for (const { kind, isEcho = false } of kinds) {
  test(`a batch of the kind ${kind}${isEcho ? ' as echoes' : ''} has one item a person`, (t) => {
    const event = controlEvent.parse({
      ...{ product: 'chatapp', kind, isEcho, count: 2 },
      resourceId: '1',
      from: [PHONE, USER],
    });
    const items = eventItems(event, { nowMs: 1_700_000_000_000, businessOf: () => 'waba' });
    const found = itemsOf(envelope({ items, merge: 'values' }));
    t.deepEqual(fieldsOf(found, 'personIds'), [[PHONE, businessScopedId(PHONE)], [USER]]);
    t.true(found.every(({ resourceId, conversation }) => resourceId === '1' && conversation !== null));
  });
}
