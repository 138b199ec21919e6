import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createSecretBox } from '../../../db/core/secret-box.ts';
import { openInstallation } from '../../../db/upkeep/open-installation.ts';
import { StartRefused } from '../../../process/stop-signals.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aKey, aTenant, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const boxOf = (id: string) => createSecretBox([{ id, bytes: randomBytes(32) }]);

test('an installation opens with its own keys', async (t) => {
  const { db } = await testDatabase(t);
  const log = rememberingLog();
  await openInstallation(db, { log, secretBox: boxOf('new') });
  const tenant = await aTenant(db);
  await aKey(db, tenant);
  await aChannel(db, tenant.workspace);
  await openInstallation(db, { log, secretBox: testSecretBox });
  t.deepEqual(log.lines, []);
});

for (const id of ['test', 'other']) {
  test(`another encryption key named ${id} is refused in one sentence`, async (t) => {
    const { db, tenant } = await tenantDatabase(t);
    await aChannel(db, tenant.workspace);
    const refused = await t.throwsAsync(openInstallation(db, { log: rememberingLog(), secretBox: boxOf(id) }), {
      instanceOf: StartRefused,
    });
    t.regex(refused?.message ?? '', /^ENCRYPTION_KEYS does not belong to this database \(.+\)\. Use the keys /);
  });
}

test('an installation that lost one of its keys opens with a warning', async (t) => {
  const { db, tenant } = await tenantDatabase(t);
  await aKey(db, tenant);
  await aChannel(db, tenant.workspace);
  await db('connection_credentials').update({ token_encrypted: boxOf('lost').seal('token', 'context') });
  const log = rememberingLog();
  await openInstallation(db, { log, secretBox: testSecretBox });
  t.like(log.lines, [{ level: 'warn', event: 'encryptionKeys.openFailed', failed: 1 }]);
});

test('an installation whose schema lacks an encrypted column opens', async (t) => {
  const { db, tenant } = await tenantDatabase(t);
  await aChannel(db, tenant.workspace);
  await db.raw('drop table scheduled cascade');
  await db.raw('alter table destinations drop column credentials_encrypted cascade');
  const log = rememberingLog();
  await openInstallation(db, { log, secretBox: testSecretBox });
  t.deepEqual(log.lines, []);
});
