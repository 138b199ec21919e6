import test from 'ava';
import { keptHeaderValue, REDACTED_HEADER } from '../../../contract/deliveries/response-headers.ts';

const secrets = [
  ...['set-cookie', 'set-cookie2', 'cookie', 'authorization', 'www-authenticate', 'proxy-authenticate'],
  ...['proxy-authorization', 'authentication-info', 'proxy-authentication-info', 'x-api-key', 'apikey', 'x-auth-token'],
  ...[
    'x-amz-security-token',
    'x-csrf-token',
    'x-xsrf',
    'x-auth',
    'x-session-id',
    'x-goog-api_key',
    'x-hub-signature-256',
  ],
  ...['x-client-secret', 'x-password', 'x-access-key', 'x-jwt'],
];

test('what a receiver hands out is not kept', (t) => {
  for (const name of secrets) t.is(keptHeaderValue(name, 'correct-horse'), REDACTED_HEADER, name);
});

test('other headers are kept', (t) => {
  const names = [
    'content-type',
    'retry-after',
    'server',
    'date',
    'x-request-id',
    'x-author',
    'etag',
    'cf-ray',
    'via',
    'allow',
  ];
  for (const name of names) t.is(keptHeaderValue(name, 'value'), 'value', name);
});

const locations = {
  'https://login.example.com/reset?token=secret': 'https://login.example.com',
  'https://Login.example.com:8443': 'https://Login.example.com:8443',
  'http://[2001:db8::1]/x': 'http://[2001:db8::1]',
  '/reset?token=secret': REDACTED_HEADER,
  '//login.example.com/': REDACTED_HEADER,
  'https://user:secret@login.example.com/': REDACTED_HEADER,
  'https:login.example.com': REDACTED_HEADER,
  secret: REDACTED_HEADER,
  '': REDACTED_HEADER,
};

for (const [value, kept] of Object.entries(locations)) {
  test(`of the location "${value}", "${kept}" is kept`, (t) => t.is(keptHeaderValue('location', value), kept));
}

test('other addresses are kept as an origin too', (t) => {
  for (const name of ['content-location', 'refresh', 'link'])
    t.is(keptHeaderValue(name, '<https://a.example/?token=secret>; rel=next'), REDACTED_HEADER);
});
