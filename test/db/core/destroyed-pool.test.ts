import test from 'ava';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';

test('a destroyed pool refuses a connection at once', async (t) => {
  const db = connectPatiently({ url: 'postgres://127.0.0.1:1/none', applicationName: 'test' });
  const { pool } = db.client as { readonly pool: { acquire(): { readonly promise: Promise<unknown> } } };
  await db.destroy();
  await t.throwsAsync(pool.acquire().promise, { message: 'aborted' });
});
