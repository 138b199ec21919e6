import test from 'ava';
import { classifyWriteRefusal, type WriteRefusal } from '../../../platform/client/write-refusals.ts';

type Verdict = WriteRefusal | 'lost';
const pairs: readonly (readonly [code: number | null, subcode: number | null, verdict: Verdict])[] = [
  [9007, 2207027, 'not_ready'],
  [9007, null, 'not_ready'],
  [9, 2207042, 'quota'],
  [24, 2207008, 'temporary'],
  [24, 2207006, 'refused'],
  [-2, 2207003, 'refused'],
  [-2, 2207020, 'refused'],
  [-1, 2207001, 'lost'],
  [-1, 2207032, 'refused'],
  [-1, 2207053, 'refused'],
  [-1, null, 'lost'],
  [1, 2207057, 'refused'],
  [1, null, 'lost'],
  [2, null, 'lost'],
  [4, 2207051, 'refused'],
  [25, 2207050, 'refused'],
  ...[2207023, 2207028, 2207010, 2207035, 2207036, 2207037, 2207040].map((sub) => [100, sub, 'refused'] as const),
  [352, 2207026, 'refused'],
  [9004, 2207052, 'refused'],
  [36000, 2207004, 'refused'],
  [36001, 2207005, 'refused'],
  [36003, 2207009, 'refused'],
  ...[2207077, 2207081, 2207082].map((sub) => [null, sub, 'refused'] as const),
  ...[4, 17, 32, 341, 613, 80001, 80002, 80006, 80007].map((code) => [code, null, 'temporary'] as const),
  [102, null, 'credential'],
  ...[458, 459, 460, 463, 464, 467, 492].map((sub) => [190, sub, 'credential'] as const),
  ...[3, 10, 200, 299, 368, 551, 1609005, 2018108].map((code) => [code, null, 'refused'] as const),
  [100, 33, 'refused'],
  [506, null, 'lost'],
  [null, null, 'refused'],
];

test('every documented pair of codes has a meaning for writes', (t) => {
  for (const [code, subcode, verdict] of pairs) {
    const refusal = { status: 400, code, subcode, isTransient: false };
    t.is(classifyWriteRefusal(refusal), verdict, `${code}/${subcode}`);
    t.is(classifyWriteRefusal({ ...refusal, status: 500 }), 'lost', `${code}/${subcode} with 500`);
  }
});

test('a transient refusal without a known code is lost', (t) => {
  const transient = { status: 400, subcode: null, isTransient: true };
  t.is(classifyWriteRefusal({ ...transient, code: 4711 }), 'lost');
  t.is(classifyWriteRefusal({ ...transient, code: 4 }), 'temporary');
  t.is(classifyWriteRefusal({ ...transient, code: 9, subcode: 2207042 }), 'quota');
});

test('an answer without codes is judged by its status', (t) => {
  const bare = { code: null, subcode: null, isTransient: false };
  t.is(classifyWriteRefusal({ ...bare, status: 404 }), 'refused');
  t.is(classifyWriteRefusal({ ...bare, status: 408 }), 'lost');
  t.is(classifyWriteRefusal({ ...bare, status: 429 }), 'temporary');
  t.is(classifyWriteRefusal({ ...bare, status: 502 }), 'lost');
});
