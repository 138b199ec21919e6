import type { LookupAddress } from 'node:dns';
import test from 'ava';
import { createResolver, type ResolverOptions } from '../../egress/resolve.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const address = (last: number): LookupAddress => ({ address: `192.0.43.${last}`, family: 4 });
const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** A resolver with the times of the product, whose clock and answers the test sets. */
function stage(options: Partial<ResolverOptions> = {}) {
  const clock = { atMs: 0 };
  const lookups: { readonly name: string; readonly end: (answer: LookupAddress | Error) => void }[] = [];
  const { resolve } = createResolver({
    allowCidrs: [],
    timeoutMs: 240 * SECOND,
    cacheMs: 5 * SECOND,
    failureCacheMs: 30 * SECOND,
    now: () => clock.atMs,
    lookup: (name) =>
      new Promise((answered, rejected) => {
        const end = (answer: LookupAddress | Error) =>
          answer instanceof Error ? rejected(answer) : answered([answer]);
        lookups.push({ name, end });
      }),
    ...options,
  });
  const name = 'receiver.example.com';
  /** Resolves a name that has to be looked up. */
  const answered = async (answer: LookupAddress | Error) => {
    const result = resolve(name);
    await new Promise(setImmediate);
    lookups.at(-1)!.end(answer);
    return (await result)[0]!.address;
  };
  const known = async () => (await resolve(name))[0]!.address;
  return { clock, resolve, lookups, answered, known };
}

test('the last addresses are used while a refresh runs', async (t) => {
  const { clock, lookups, answered, known } = stage();
  t.is(await answered(address(1)), '192.0.43.1');
  clock.atMs = 4 * SECOND;
  t.is(await known(), '192.0.43.1');
  t.is(lookups.length, 1, 'they are fresh');
  clock.atMs = 29 * SECOND;
  t.is(await known(), '192.0.43.1');
  await new Promise(setImmediate);
  t.is(lookups.length, 2);
  lookups[1]!.end(address(2));
  await new Promise(setImmediate);
  t.is(await known(), '192.0.43.2');
  clock.atMs += 30 * SECOND;
  t.is(await answered(address(3)), '192.0.43.3', 'a request waits for addresses that are too old');
});

test('the last addresses outlast failures of the name server', async (t) => {
  const { clock, lookups, answered, known } = stage();
  await answered(address(1));
  clock.atMs = 9 * MINUTE;
  t.is(await answered(failing('ESERVFAIL')), '192.0.43.1');
  t.is(await known(), '192.0.43.1');
  t.is(lookups.length, 2, 'the failure is remembered');
  clock.atMs = 10 * MINUTE + 1;
  await t.throwsAsync(answered(failing('ESERVFAIL')), { message: 'ESERVFAIL' });
});

test('the last addresses end with those of the name', async (t) => {
  const { clock, answered, known } = stage();
  await answered(address(1));
  clock.atMs = MINUTE;
  await t.throwsAsync(answered(failing('ENOTFOUND')), { message: 'ENOTFOUND' });
  await t.throwsAsync(known(), { message: 'ENOTFOUND' });
  clock.atMs += 31 * SECOND;
  await t.throwsAsync(answered(failing('ESERVFAIL')), { message: 'ESERVFAIL' });
});

test('a failure is the answer of its name for half a minute', async (t) => {
  const { clock, lookups, resolve, answered, known } = stage();
  await t.throwsAsync(answered(failing('ESERVFAIL')), { message: 'ESERVFAIL' });
  clock.atMs = 29 * SECOND;
  await t.throwsAsync(known(), { message: 'ESERVFAIL' });
  t.is(lookups.length, 1);
  void resolve('other.example.com').catch(() => undefined);
  await new Promise(setImmediate);
  t.is(lookups.length, 2, 'another name is looked up');
  clock.atMs = 31 * SECOND;
  t.is(await answered(address(1)), '192.0.43.1');
});
