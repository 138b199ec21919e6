import test from 'ava';
import { connectDatabase } from '../../db/core/connect-database.ts';
import { createHotPool } from '../../db/core/hot-pool.ts';
import { createChannelDirectory } from '../../gateway/access/channel-directory.ts';
import { HttpError } from '../../process/http-errors.ts';
import { testSecretBox } from '../harness/tenants.ts';
import { channelToken } from './stage.ts';

test('a call without a reachable database gets Retry-After', async (t) => {
  const url = 'postgres://nobody@127.0.0.1:1/none';
  const db = connectDatabase({ url, applicationName: 'test' });
  const pool = createHotPool({ url, applicationName: 'test', connections: 1, onError: () => undefined });
  t.teardown(() => Promise.all([db.destroy(), pool.end()]));
  const directory = createChannelDirectory({ db, pool, secretBox: testSecretBox, tokenSalt: new Uint8Array(32) });
  const refusal = await t.throwsAsync(directory.openToken(channelToken), { instanceOf: HttpError });
  t.like(refusal, { code: 'SERVICE_UNAVAILABLE', statusCode: 503 });
  t.true(Number(refusal.headers['retry-after']) > 0);
});
