import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { commands } from '../../../admin/commands.ts';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { demoTenants, type DemoTenants, writeDemoEnv } from '../../../dev/demo/demo.ts';
import { adminDeps } from '../../harness/admin-deps.ts';
import { anInbox } from '../../harness/people/email-codes.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

export interface DemoSystem extends System {
  readonly tenants: DemoTenants;
  /** Looks like the project folder after `npm start`, with data of its own. */
  readonly folder: string;
}

/** Starts what `npm start` starts, on free ports, with its demo data and `.data/demo.env`. */
export async function startDemoSystem(t: ExecutionContext<unknown>): Promise<DemoSystem> {
  const inbox = await anInbox(t);
  const env = {
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'no-reply@example.com',
    // As `npm start` sets them: one user tries everything from one address.
    EMAIL_CODES_PER_ADDRESS: '100',
    EMAIL_CODES_PER_CLIENT: '1000',
    CONTAINER_POLL_SECONDS: '1,1,1,2,2,5',
    CIRCUIT_PROBE_SECONDS: '1',
  };
  const system = await startSystem(t, { gateways: 1, env });
  const deps = adminDeps(system.db, { env: { DEPLOYMENT: 'development' } });
  const tenants = demoTenants.parse(await commands['seed-demo']!.run(deps, []));
  const folder = await projectCopy(t);
  const addresses = {
    baseUrl: system.apiUrls[0]!,
    gatewayUrl: system.gatewayUrls[0]!,
    temporalUiUrl: undefined,
    temporalAddress: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
    databaseUrl: system.databaseUrl,
    simulatorUrl: system.platform.url,
    receiverUrl: system.receiver.url,
    mailInboxUrl: inbox.url,
    platformAppSecret: system.platformSecret,
  };
  await writeDemoEnv({ path: join(folder, '.data/demo.env'), addresses, tenants });
  return { ...system, tenants, folder };
}

/** Links to the project's files, so that commands of the guides change none of them. */
async function projectCopy(t: ExecutionContext<unknown>): Promise<string> {
  const folder = await temporaryFolder(t);
  const names = (await readdir(projectRoot)).filter((name) => !name.startsWith('.'));
  for (const name of names) await symlink(join(projectRoot, name), join(folder, name));
  await mkdir(join(folder, '.data'));
  return folder;
}
