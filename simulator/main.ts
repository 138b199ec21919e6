import { loadConfig } from '../process/config.ts';
import { createLog } from '../process/log.ts';
import { startMailInbox } from './mail/inbox.ts';
import { startPlatform } from './platform.ts';
import { startReceiver } from './receiver/receiver.ts';

const config = loadConfig({ reader: 'simulator', required: ['platformAppSecrets'] });
const log = createLog({ name: 'simulator', level: config.logLevel });

async function start() {
  const hosts = config.developmentHosts;
  const receiver = await startReceiver({ port: config.receiverPort, hosts });
  const inbox = await startMailInbox({ smtpPort: config.smtpPort, port: config.mailInboxPort, hosts });
  const platform = await startPlatform({
    port: config.simulatorPort,
    hosts,
    appSecret: config.platformAppSecrets[0],
    webhookUrl: config.platformWebhookUrl,
    clientId: config.platformClientId,
    ...(config.platformVerifyToken !== undefined && { verifyToken: config.platformVerifyToken }),
  });
  return { receiver, inbox, platform };
}

async function run(): Promise<void> {
  // Registered first, so that a signal during the start is not lost.
  const stopRequested = new Promise<string>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  const { receiver, inbox, platform } = await start();
  log.info('simulator.started', { platformUrl: platform.url, receiverUrl: receiver.url, inboxUrl: inbox.url });

  const signal = await stopRequested;
  await platform.stop();
  await inbox.stop();
  await receiver.stop();
  log.info('simulator.stopped', { signal });
}

try {
  await run();
} catch (error) {
  log.error('simulator.failed', { error });
  process.exitCode = 1;
}
await log.flush();
// A server that started before a failure would keep the process alive.
process.exit();
