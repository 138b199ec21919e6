import test from 'ava';
import { refusedCall } from './stage.ts';

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
  for (const version of unknown) {
    const codes = ['VALIDATION_ERROR'];
    const { status } = await refusedCall(t, `GET /platform/${version}/3000`, { codes, stage: { channel: number } });
    t.is(status, 400, version);
  }
});
