import test from 'ava';
import pg from 'pg';
import { retryRaces } from '../../../db/core/retry-races.ts';

const races = {
  'a deadlock': { code: '40P01', message: 'deadlock detected' },
  'a serialization failure': { code: '40001', message: 'could not serialize access due to concurrent update' },
  'a dropped table': { code: 'XX000', message: 'could not open relation with OID 37596' },
};

for (const [name, race] of Object.entries(races)) {
  test(`a statement is repeated after ${name}`, async (t) => {
    let tries = 0;
    const result = await retryRaces(async () => {
      if (++tries < 3) throw databaseError(race);
      return 'done';
    });
    t.is(result, 'done');
    t.is(tries, 3);
  });
}

test('a statement is repeated four times and not after other errors', async (t) => {
  let tries = 0;
  const failing = (error: { code: string; message: string }) => () => {
    tries++;
    return Promise.reject(databaseError(error));
  };
  await t.throwsAsync(retryRaces(failing(races['a deadlock'])), { message: 'deadlock detected' });
  t.is(tries, 5);
  tries = 0;
  const other = { code: 'XX000', message: 'cache lookup failed' };
  await t.throwsAsync(retryRaces(failing(other)), { message: other.message });
  t.is(tries, 1);
});

function databaseError({ code, message }: { readonly code: string; readonly message: string }): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code });
}
