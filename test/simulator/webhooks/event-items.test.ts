import test from 'ava';
import { controlEvent, type ControlEventInput } from '../../../simulator/webhooks/control-event.ts';
import { envelope } from '../../../simulator/webhooks/envelope.ts';
import { eventItems } from '../../../simulator/webhooks/event-items.ts';
import { keysOf } from '../../harness/envelope/split-items.ts';

const atMs = 1_700_000_000_500;
const envelopeOf = (input: ControlEventInput) =>
  envelope({
    items: eventItems(controlEvent.parse({ atMs, ...input }), { nowMs: atMs, businessOf: () => '9' }),
    merge: 'entries',
  });

test('verbs take turns, and a step of 0 keeps the time', (t) => {
  const reaction = { resourceId: '5', kind: 'reaction', platformMessageId: 'm', count: 3 } as const;
  for (const product of ['photoapp', 'pageapp'] as const) {
    const { entry } = envelopeOf({ ...reaction, product, verb: ['react', 'unreact'], stepMs: 0 });
    const [{ messaging } = { messaging: [] }] = entry as readonly { messaging: readonly Record<string, unknown>[] }[];
    t.deepEqual(
      messaging.map(({ timestamp, reaction: made }) => [timestamp, (made as { action: string }).action]),
      ['react', 'unreact', 'react'].map((action) => [atMs, action]),
    );
    t.deepEqual(messaging[0], messaging[2]);
  }
});

test('changes of one comment in one entry have keys of their own', (t) => {
  const comment = {
    product: 'pageapp',
    kind: 'comment',
    resourceId: '5',
    platformMessageId: 'c',
    postId: 'p',
  } as const;
  const toAndFro = envelopeOf({ ...comment, verb: ['hide', 'unhide'], count: 4, stepMs: 0 });
  t.is(toAndFro.entry.length, 1);
  t.is(new Set(keysOf(toAndFro)).size, 4);
});
