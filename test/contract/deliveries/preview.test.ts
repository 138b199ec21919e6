import test from 'ava';
import { containsText, previewOf } from '../../../contract/deliveries/preview.ts';

const envelope = (value: object): string => JSON.stringify({ object: 'chatapp', entry: [{ changes: [{ value }] }] });

test('a preview is the text of the message', (t) => {
  const message = { from: '1555', type: 'text', text: { body: 'Hello\n  there' } };
  t.is(previewOf(envelope({ contacts: [{ profile: { name: 'Ada' } }], messages: [message] })), 'Hello there');
  t.is(previewOf(envelope({ messages: [{ type: 'image', image: { id: '1', caption: 'My cat' } }] })), 'My cat');
  t.is(previewOf(envelope({ messages: [{ type: 'sticker', sticker: { id: '1' } }] })), '[sticker]');
  t.is(previewOf(envelope({ statuses: [{ id: 'mid.1', status: 'read' }] })), 'read');
  t.is(previewOf(JSON.stringify({ entry: [{ messaging: [{ message: { mid: 'm', text: 'Hi' } }] }] })), 'Hi');
});

test('a preview is short and exists only for JSON with text', (t) => {
  t.is(previewOf('not JSON'), null);
  t.is(previewOf('{"n":1}'), null);
  const long = previewOf(JSON.stringify({ text: '👋'.repeat(200) }))!;
  t.is([...long].length, 140);
  t.true(long.endsWith('…'));
});

test('a text is found in all values in either case', (t) => {
  const body = '{"text":"Caf\\u00e9 au lait","from":15550001,"list":[{"note":"x"}]}';
  t.true(containsText(body, 'café AU'));
  t.true(containsText(body, '5550001'));
  t.false(containsText(body, 'note'), 'names of fields are no text');
  t.false(containsText('[', 'a'));
});

test('deeply nested bodies are read without recursion', (t) => {
  const depth = 5_000;
  const nested = `${'['.repeat(depth)}"deep"${']'.repeat(depth)}`;
  t.true(containsText(nested, 'deep'));
});

test('long runs of combining marks are compared in linear time', (t) => {
  const zalgo = `a${'\u0315\u0316'.repeat(500_000)} needle`;
  // Sorting the marks would take hours.
  t.true(containsText(JSON.stringify(zalgo), 'NEEDLE'));
  t.true(containsText(JSON.stringify('cafe\u0301'), 'caf\u00e9'));
});

test('a text does not match across two values', (t) => {
  t.false(containsText('{"a":"one","b":"two"}', 'onetwo'));
});

test('values beyond the first 10,000 are not compared', (t) => {
  const bodyOf = (count: number): string => `[${'0,'.repeat(count)}"needle"]`;
  t.true(containsText(bodyOf(9_900), 'needle'));
  t.false(containsText(bodyOf(10_100), 'needle'));
});
