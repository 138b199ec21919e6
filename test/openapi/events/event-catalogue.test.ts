import test from 'ava';
import { alertCallTypes } from '../../../contract/notifications/notification.ts';
import { eventTypes } from '../../../contract/event-types.ts';
import { openApiDocument } from '../../../openapi/document/open-api-document.ts';
import { eventCatalogue } from '../../../openapi/events/event-catalogue.ts';
import { envelope } from '../../../simulator/webhooks/envelope.ts';
import { controlEvent, eventItems } from '../../../simulator/webhooks/events.ts';
import { itemsOf } from '../../harness/envelope/split-items.ts';
import { baseUrl } from '../../harness/api/api.ts';

for (const eventType of eventTypes) {
  test(`the example of ${eventType} fits its schema and is recognized`, (t) => {
    const { schema, example } = eventCatalogue[eventType];
    t.deepEqual(schema.safeParse(example).error?.issues ?? [], []);
    t.deepEqual(itemsOf(example).map((item) => item.eventType), [eventType]); // prettier-ignore
  });
}

const kinds = {
  chatapp: ['message', 'status', 'account_update'],
  photoapp: ['message', 'reaction', 'read', 'postback', 'comment', 'story_insights'],
  pageapp: ['message', 'reaction', 'read', 'delivery', 'postback', 'comment', 'post', 'ratings'],
} as const;

const cases = Object.entries(kinds).flatMap(([product, names]) =>
  names.flatMap((kind) => (['changes', 'entry'] as const).map((shape) => ({ product, kind, shape }))),
);

const source = { nowMs: 1_700_000_000_000, businessOf: () => '4000' };

test('events of the simulator fit the schemas of their types', (t) => {
  const seen = new Set<string>();
  for (const one of cases) {
    const event = controlEvent.parse({ ...one, resourceId: '1066' });
    const body = envelope({ items: eventItems(event, source) });
    const eventType = itemsOf(body)[0]?.eventType;
    if (!eventType) return t.fail(`${one.product} ${one.kind}`);
    seen.add(eventType);
    t.deepEqual(eventCatalogue[eventType].schema.safeParse(body).error?.issues ?? [], [], `${one.product} ${one.kind}`);
  }
  t.deepEqual([...seen].sort(), [...eventTypes].sort());
});

test('the document has a webhook with an example for each type', (t) => {
  const { webhooks = {} } = openApiDocument({ baseUrl, deployment: 'production' });
  for (const type of alertCallTypes) {
    t.false(JSON.stringify(webhooks[type]).includes('X-Service'), 'calls about alerts are no deliveries');
    delete webhooks[type];
  }
  t.deepEqual(Object.keys(webhooks), Object.keys(eventCatalogue));
  t.deepEqual(Object.keys(webhooks).sort(), [...eventTypes].sort());
  for (const eventType of eventTypes) {
    const webhook: object = webhooks[eventType] ?? {};
    t.true(JSON.stringify(webhook).includes('X-Service-Signature-256'));
  }
});
