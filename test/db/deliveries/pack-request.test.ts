import { randomBytes } from 'node:crypto';
import test from 'ava';
import { packRequest, type SentRequest, unpackRequest } from '../../../db/deliveries/pack-request.ts';

const sent: SentRequest = {
  url: 'https://example.com/hook?é=1',
  atSeconds: 4_102_444_800,
  bodySha256: randomBytes(32),
  signatures: [{ service: randomBytes(32), standard: randomBytes(32) }],
  redactedHeaders: [],
  traceParent: null,
};

test('a packed request is unpacked unchanged', (t) => {
  for (const one of [
    sent,
    { ...sent, signatures: [...sent.signatures, ...sent.signatures], redactedHeaders: ['x-a', 'authorization'] },
    { ...sent, signatures: [], traceParent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  ])
    t.deepEqual(unpackRequest(packRequest(one)), one);
});

test('a usual request takes less than 160 bytes', (t) => {
  t.true(packRequest(sent).length < 160);
});

test('a request of a later version is null', (t) => {
  t.is(unpackRequest(Buffer.from([2, 0, 0])), null);
});
