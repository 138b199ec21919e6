import test from 'ava';
import { startStage } from './stage.ts';

const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
const unknown = [
  'v99.0',
  'v25.0',
  'v21.0',
  'v22',
  'V22.0',
  '22.0',
  'v22.0.1',
  'v022.0',
  'latest',
  'v',
  '',
  '3000',
  '%76',
];

test('an unknown version is an invalid request', async (t) => {
  const { call, seen } = await startStage(t, { channel: number });

  for (const version of unknown) {
    const { status, body } = await call(`GET /platform/${version}/3000`);
    t.like({ status, code: body['code'] }, { status: 400, code: 'VALIDATION_ERROR' }, version);
  }
  t.is(seen.length, 0);
});
