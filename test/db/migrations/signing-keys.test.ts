import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { migrate } from '../../../db/migrate.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { ensureUser } from '../../../db/people/users.ts';
import { emptyDatabase } from '../../harness/database/database.ts';

async function before(t: ExecutionContext) {
  const { db } = await emptyDatabase(t);
  await migrate(db, { deliveryShards: 4 });
  await db.raw(`
    drop table code_tries;
    alter table email_registrations drop column code_key_id, drop column network_hash;
    alter table sessions drop column refresh_key_id`);
  await db('knex_migrations').where({ name: '0023-signing-keys' }).del();
  return db;
}

test('the migration revokes the staff key derived from the salt', async (t) => {
  const db = await before(t);
  const { tokenSalt } = await readInstallation(db);
  const user = await ensureUser(db, { email: 'support@demo.example' });
  const hmac = (text: string) => createHmac('sha256', tokenSalt).update(text);
  const hashes = [hmac(`hmok_${hmac('demo-staff-key/demo').digest('base64url')}`), hmac('hmok_another')];
  for (const [index, hash] of hashes.entries()) {
    const row = { public_id: `key_0000000${index}`, user_id: user.id, token_hash: hash.digest() };
    await db('staff_keys').insert(row);
  }
  t.deepEqual(await migrate(db, { deliveryShards: 4 }), ['0023-signing-keys']);
  const revoked = await db('staff_keys').whereNotNull('revoked_at').pluck('public_id');
  t.deepEqual(revoked, ['key_00000000']);
});
