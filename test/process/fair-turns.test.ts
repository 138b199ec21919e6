import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { createFairTurns, type TurnOwner } from '../../process/fair-turns.ts';

const never = new AbortController().signal;
const numbers = { perCredential: 1, perOrganization: 2, inAll: 3 };

function stage() {
  const turns = createFairTurns(numbers);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, owner: TurnOwner, signal = never) =>
    turns.run(owner, {
      endOfWait: () => signal,
      work: async () => {
        began.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      },
    });
  const end = async (name: string, result: Promise<string>): Promise<void> => {
    await nextTurn();
    ends.get(name)!();
    await result;
    await nextTurn();
  };
  return { turns, began, run, end };
}

const of = (organizationId: number, credentialId = `key_${organizationId}`): TurnOwner => ({
  organizationId,
  credentialId,
});

test('a credential runs one work at a time, and an organization two', async (t) => {
  const { began, run, end, turns } = stage();
  const a1 = run('a1', of(1, 'a'));
  void run('a2', of(1, 'a'));
  void run('b1', of(1, 'b'));
  void run('c1', of(1, 'c'));
  await nextTurn();
  t.deepEqual(began, ['a1', 'b1']);
  t.is(turns.waitingCount(), 2);
  await end('a1', a1);
  t.deepEqual(began, ['a1', 'b1', 'a2'], 'in order of arrival');
});

test('a free place goes to the organization that waits without a turn', async (t) => {
  const { began, run, end } = stage();
  const first = run('1a', of(1, 'a'));
  void run('1b', of(1, 'b'));
  const other = run('2', of(2));
  for (const name of ['1c', '1d', '1e']) void run(name, of(1, name));
  void run('2b', of(2));
  void run('3', of(3));
  await end('2', other);
  t.deepEqual(began, ['1a', '1b', '2', '3'], 'before the earlier ones of organizations 1 and 2');
  await end('1a', first);
  t.is(began[4], '1c', 'organization 1 had its last turn before 2');
});

test('work that waits too long is refused and leaves the queue', async (t) => {
  const { run, end, turns } = stage();
  const first = run('1', of(1));
  const late = new AbortController();
  const second = run('2', of(1), late.signal);
  t.is(turns.waitingCount(), 1);
  late.abort();
  t.like(await t.throwsAsync(second), { code: 'RATE_LIMITED' });
  t.is(turns.waitingCount(), 0);
  await t.throwsAsync(run('3', of(1), late.signal), { message: /Too many requests/ }, 'its wait has ended before');
  t.is(turns.waitingCount(), 0);
  await end('1', first);
  t.is(turns.runningCount(), 0);
});

test('work that fails gives its place back', async (t) => {
  const { turns } = stage();
  const fails = (): Promise<never> => Promise.reject(new Error('failed'));
  await t.throwsAsync(turns.run(of(1), { endOfWait: () => never, work: fails }), { message: 'failed' });
  t.is(turns.runningCount(), 0);
});

test('thousands of waiting works end in linear time', async (t) => {
  const turns = createFairTurns({ perCredential: 20, perOrganization: 40, inAll: 160 });
  const gate = Promise.withResolvers<void>();
  const crowd = Array.from({ length: 5_000 }, (_, index) =>
    turns.run(of(index % 2, `key_${index % 4}`), { endOfWait: () => never, work: () => gate.promise }),
  );
  t.is(turns.runningCount(), 80);
  const usedMs = await processorMs(async () => {
    gate.resolve();
    await Promise.all(crowd);
  });
  t.true(usedMs < 5_000, `${usedMs} ms`);
});

async function processorMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
