import test from 'ava';
import { clientAddressOf } from '../../process/client-address.ts';

const PEER = '10.0.0.7';

const of = (forwarded: string | undefined, { peer = PEER, trustProxy = true } = {}) =>
  clientAddressOf({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: peer } }, trustProxy);

const entries = {
  '192.0.2.1': '192.0.2.1',
  '192.0.2.1:4711': '192.0.2.1',
  '198.51.100.1, 192.0.2.1:4711': '192.0.2.1',
  '198.51.100.1,192.0.2.1\t': '192.0.2.1',
  '::ffff:192.0.2.1': '192.0.2.1',
  '[::FFFF:c000:201]:4711': '192.0.2.1',
  '2001:DB8:0:0::1': '2001:db8::1',
  '[2001:db8::1]': '2001:db8::1',
  '[2001:DB8::1]:4711': '2001:db8::1',
  'fe80::1%eth0': 'fe80::1',
  '[fe80::1%25eth0]:80': 'fe80::1',
  'for=192.0.2.1': '192.0.2.1',
  'For="192.0.2.1:4711";proto=https': '192.0.2.1',
  'for="[2001:db8::1]:4711"': '2001:db8::1',
  '"192.0.2.1"': '192.0.2.1',
};

for (const [forwarded, address] of Object.entries(entries)) {
  test(`the client of "${forwarded}" has one spelling`, (t) => {
    t.is(of(forwarded), address);
    t.is(of(forwarded, { trustProxy: false }), PEER);
  });
}

const garbage = [
  ...[
    undefined,
    '',
    ' ',
    '192.0.2.1,',
    'unknown',
    '_hidden',
    'for=unknown',
    '192.0.2.1:port',
    '192.0.2.1:',
    '192.0.2.1:123456',
  ],
  ...[
    '[192.0.2.1]',
    '[2001:db8::1',
    '2001:db8::1]',
    '[2001:db8::1]x',
    '192.0.2',
    '0xc0.0.2.1',
    '3221225985',
    '192.0.2.01',
  ],
  ...[
    '192.0.2.1 198.51.100.1',
    '192.0.2.1/32',
    'evil.example:443',
    '"'.repeat(10_000),
    '['.repeat(10_000),
    '1'.repeat(10_000),
  ],
];

test('without an address the peer counts as the client', (t) => {
  for (const text of garbage) t.is(of(text), PEER, text);
});

test('the peer has one spelling too', (t) => {
  t.is(of(undefined, { peer: '::ffff:192.0.2.1' }), '192.0.2.1');
  t.is(of(undefined, { peer: '::FFFF:192.0.2.1', trustProxy: false }), '192.0.2.1');
  t.is(clientAddressOf({ headers: {}, socket: {} }, true), '');
});
