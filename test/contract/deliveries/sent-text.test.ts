import { hash } from 'node:crypto';
import test from 'ava';
import { batchText, eventCountHeader } from '../../../contract/deliveries/batch.ts';
import { sentText } from '../../../contract/deliveries/sent-text.ts';

const sha256Hex = (text: string) => Promise.resolve(hash('sha256', text, 'hex'));
const events = Array.from({ length: 20 }, (_, index) => ({
  deliveryId: `wd_${index}`,
  eventId: `evt_${index}`,
  eventType: 'chatapp.message.received',
  attempt: 1,
}));
const payloads = new Map(events.map(({ deliveryId }, index) => [deliveryId, `{"n": ${index}}`]));
const text = batchText(events.map((event) => ({ ...event, payload: payloads.get(event.deliveryId)! })));
const own = { deliveryId: 'wd_9', payload: '{"n": 9}' };
const request = { headers: { [eventCountHeader]: '20' }, bodySha256: hash('sha256', text, 'hex'), events };

function sources(stored: ReadonlyMap<string, string>) {
  const asked: string[] = [];
  const payloadOf = (deliveryId: string) => {
    asked.push(deliveryId);
    return Promise.resolve(stored.get(deliveryId) ?? null);
  };
  return { asked, payloadOf, sha256Hex };
}

test('the body of an array is built from the other payloads', async (t) => {
  const { asked, ...from } = sources(payloads);
  t.is(await sentText(request, own, from), text);
  t.is(asked.length, 19);
  t.false(asked.includes(own.deliveryId));
});

test('an array without one of its events has no body', async (t) => {
  const [first] = events;
  const rest = new Map([...payloads].filter(([id]) => id !== first!.deliveryId));
  t.is(await sentText(request, own, sources(rest)), null);
  t.is(await sentText({ ...request, events: null }, own, sources(payloads)), null);
  t.is(await sentText(request, own, sources(new Map([...payloads, [first!.deliveryId, '{}']]))), null);
});

test('the body of a single event is its payload', async (t) => {
  const { asked, ...from } = sources(payloads);
  t.is(await sentText({ headers: {}, bodySha256: '', events: null }, own, from), own.payload);
  t.deepEqual(asked, []);
});
