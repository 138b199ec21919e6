import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { readInstallation } from '../../db/core/installation.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { freePort } from '../../dev/processes/ports.ts';
import { createChannelDirectory } from '../../gateway/access/channel-directory.ts';
import { startGateway } from '../../gateway/start-gateway.ts';
import { startPlatform } from '../../simulator/platform.ts';
import { testApi } from '../harness/api/api.ts';
import { testHotPool } from '../harness/database/hot-pool.ts';
import { rememberingLog } from '../harness/quiet-log.ts';
import { aChannel, aTenant, testSecretBox } from '../harness/tenants.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const run = promisify(execFile);
const appSecret = 'app secret';

test('the example of the gateway guide sends a message', async (t) => {
  const port = await freePort();
  const gatewayUrl = `http://127.0.0.1:${port}`;
  const { db, databaseUrl, url } = await testApi(t, { gatewayUrl });
  const simulator = await startPlatform({ port: 0, appSecret, webhookUrl: 'http://127.0.0.1:1/' });
  t.teardown(() => simulator.stop());
  const pool = testHotPool(t, databaseUrl);
  const { tokenSalt } = await readInstallation(db);
  const gateway = await startGateway({
    port,
    host: '127.0.0.1',
    gatewayUrl,
    baseUrl: url,
    log: rememberingLog(),
    channels: createChannelDirectory({ db, pool, secretBox: testSecretBox, tokenSalt }),
    outbound: { record: () => undefined, stop: async () => undefined },
    secretBox: testSecretBox,
    apiUrl: simulator.url,
    appSecret,
  });
  t.teardown(() => gateway.stop());
  const tenant = await aTenant(db);
  const channel = await aChannel(db, tenant.workspace, { type: 'chatapp', resourceId: '100000000000011' });
  const folder = await temporaryFolder(t);
  await symlink(join(projectRoot, 'cli/channels.js'), join(folder, 'channels'));

  const guide = await readFile(join(projectRoot, 'docs/gateway.md'), 'utf8');
  const [, example = ''] = /^```sh\n([^]*?)^```/m.exec(guide) ?? [];
  const path = [folder, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = {
    PATH: path,
    HOME: folder,
    BASE_URL: url,
    SERVICE_API_KEY: tenant.apiKey,
    CHATAPP_CHANNEL_ID: channel.publicId,
  };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', example], { env });

  const [sent] = simulator.messaging.sent();
  t.is(JSON.parse(stdout).messages[0].id, sent?.id);
  t.like(sent, { account: '100000000000011', to: '15551230000', type: 'text' });
});
