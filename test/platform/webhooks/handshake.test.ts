import { createHmac } from 'node:crypto';
import test from 'ava';
import { answerHandshake, verifyPlatformSignature } from '../../../platform/webhooks/handshake.ts';

const handshake = { 'hub.mode': 'subscribe', 'hub.verify_token': 'token', 'hub.challenge': '1158201444' };

test('a handshake with the verify token is answered with its challenge', (t) => {
  t.is(answerHandshake(handshake, 'token'), '1158201444');
});

test('any other query is not a handshake', (t) => {
  const wrong = [
    {},
    { ...handshake, 'hub.mode': 'unsubscribe' },
    { ...handshake, 'hub.verify_token': 'token2' },
    { ...handshake, 'hub.verify_token': '' },
    { ...handshake, 'hub.verify_token': ['token', 'token'] },
    { ...handshake, 'hub.challenge': '' },
    { ...handshake, 'hub.challenge': ['1', '2'] },
    { ...handshake, 'hub.challenge': 'x'.repeat(257) },
    { ...handshake, 'hub.challenge': undefined },
  ];
  for (const query of wrong) t.is(answerHandshake(query, 'token'), undefined);
});

test('an unset verify token or app secret verifies nothing', (t) => {
  t.is(answerHandshake({ ...handshake, 'hub.verify_token': '' }, ''), undefined);
  const header = `sha256=${createHmac('sha256', '').update('x').digest('hex')}`;
  t.false(verifyPlatformSignature({ body: Buffer.from('x'), header, appSecrets: [''] }));
});

test('a signature verifies only the raw bytes with the app secret', (t) => {
  const body = Buffer.from('{"text":"\\u00e9"}');
  const header = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`;
  t.true(verifyPlatformSignature({ body, header, appSecrets: ['secret'] }));
  t.true(verifyPlatformSignature({ body: Uint8Array.from(body), header, appSecrets: ['secret'] }));
  t.false(verifyPlatformSignature({ body: Buffer.from('{"text":"é"}'), header, appSecrets: ['secret'] }));
  t.false(verifyPlatformSignature({ body, header, appSecrets: ['secret2'] }));
  t.true(verifyPlatformSignature({ body, header, appSecrets: ['secret2', 'secret'] }));
  t.false(verifyPlatformSignature({ body, header, appSecrets: [] }));
  for (const odd of [
    undefined,
    '',
    'sha256=',
    header.slice(0, -1),
    `${header}0`,
    header.replace('sha256', 'sha1'),
    `${header},${header}`,
  ]) {
    t.false(verifyPlatformSignature({ body, header: odd, appSecrets: ['secret'] }));
  }
});
