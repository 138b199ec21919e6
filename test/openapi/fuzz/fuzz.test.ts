import { join } from 'node:path';
import test from 'ava';
import { pythonEnvironment } from '../../dev/python/environment.ts';
import { run } from '../../dev/release/installed-packages.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { startSystem } from '../../harness/system/system.ts';

/** Calls per operation and kind of data. Optional. The long form takes hundreds. */
const examples = process.env['FUZZ_EXAMPLES'] ?? '5';
/** Optional. A failure names the seed. */
const seed = process.env['FUZZ_SEED'] ?? '1';

/** Operations that schemathesis.toml disables. */
const DISABLED = 2;

test('made-up calls of documented operations cause no server error', async (t) => {
  t.timeout(24 * 3_600_000);
  const { folder, bin } = await pythonEnvironment(t, join(import.meta.dirname, 'requirements.txt'));
  const system = await startSystem(t);
  const { db, tenant, apiUrls, receiver, channel } = system;
  const chatapp = await channel();
  const destinationId = await aWebhook(db, chatapp, { url: receiver.webhook('fuzzed').url });
  const delivery = await aLedgerDelivery(db, chatapp, { destinationId, status: 'exhausted', attemptCount: 1 });
  const env = {
    ...process.env,
    BASE_URL: apiUrls[0]!,
    API_KEY: tenant.apiKey,
    ORGANIZATION_ID: tenant.organization.publicId,
    WORKSPACE_ID: tenant.workspace.publicId,
    CHATAPP_ID: chatapp.publicId,
    PHOTOAPP_ID: (await channel({ type: 'photoapp' })).publicId,
    PAGEAPP_ID: (await channel({ type: 'pageapp' })).publicId,
    DELIVERY_ID: delivery.publicId,
  };
  const config = join(import.meta.dirname, 'schemathesis.toml');
  const options = ['--checks', 'not_a_server_error', '--max-examples', examples, '--seed', seed, '--no-shrink'];
  const report = ['--continue-on-failure', '--no-color', '--warnings', 'off'];
  const args = ['--config-file', config, 'run', `${env.BASE_URL}/openapi.json`, ...options, ...report];
  const { code, stdout, stderr } = await run(join(bin, 'schemathesis'), args, { cwd: folder, env });
  t.log(stdout.split('\n').slice(-40).join('\n'));
  t.is(code, 0, `${stdout}\n${stderr}`);
  const [, selected, all] = /Selected: (\d+)\/(\d+)/.exec(stdout) ?? [];
  t.is(Number(all) - Number(selected), DISABLED, 'the configuration disables as many operations');
  t.is(/Tested: (\d+)/.exec(stdout)?.[1], selected, 'all other operations were called');
});
