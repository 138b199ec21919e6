import test from 'ava';
import { type Allowance, type Answer, createAllowance } from '../../../../activities/pump/allowance.ts';

const FIRST = 64;

function stage() {
  let nowMs = 0;
  const allowance = createAllowance({ first: FIRST, max: 256, now: () => nowMs });
  return { allowance, pass: (ms: number) => void (nowMs += ms) };
}

/** Counts answers of the current round. */
function count(allowance: Allowance, answers: Readonly<Partial<Record<Answer, number>>>): void {
  for (const [answer, times] of Object.entries(answers) as [Answer, number][]) {
    for (let done = 0; done < times; done++) allowance.count(answer, allowance.round);
  }
}

for (const [answer, times] of [
  ['failed', 26],
  ['overloaded', 20],
] as const) {
  test(`${times} of 32 ${answer} answers are too many`, (t) => {
    const { allowance } = stage();
    const accepted = 32 - times;
    count(allowance, { accepted, [answer]: times - 1 });
    t.is(allowance.value, FIRST + accepted);
    count(allowance, { [answer]: 1 });
    t.is(allowance.value, Math.floor((FIRST + accepted) / 2));
  });

  test(`a share of ${answer} answers decides from 32 answers on`, (t) => {
    const { allowance } = stage();
    count(allowance, { accepted: 1, [answer]: 30 });
    t.is(allowance.round, 0);
    count(allowance, { [answer]: 1 });
    t.is(allowance.round, 1);
  });
}

test('failures of the span before count', (t) => {
  const { allowance, pass } = stage();
  count(allowance, { accepted: 10, failed: 30 });
  pass(500);
  count(allowance, { failed: 10 });
  t.is(allowance.round, 0, '40 of 50');
  count(allowance, { failed: 1 });
  t.is(allowance.round, 1, '41 of 51');
});

test('failures of a span that ended long ago do not count', (t) => {
  const { allowance, pass } = stage();
  count(allowance, { accepted: 10, failed: 30 });
  pass(2_001);
  count(allowance, { failed: 31 });
  t.is(allowance.round, 0);
});

test('answers to requests of an earlier round do not count', (t) => {
  const { allowance } = stage();
  count(allowance, { failed: 32 });
  t.is(allowance.value, FIRST / 2);
  for (let done = 0; done < FIRST; done++) allowance.count('failed', 0);
  t.is(allowance.value, FIRST / 2);
});
