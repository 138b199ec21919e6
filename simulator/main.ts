import { loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { startPlatform } from './platform.ts';
import { startReceiver } from './receiver.ts';

/** The process of the far side: the platform and a user's receiver, until SIGTERM or SIGINT. */
const config = loadConfig({ required: ['platformAppSecret'] });
const log = createLog({ name: 'simulator', level: config.logLevel });

async function start() {
  const receiver = await startReceiver({ port: config.receiverPort });
  const platform = await startPlatform({
    port: config.simulatorPort,
    appSecret: config.platformAppSecret,
    webhookUrl: config.platformWebhookUrl,
    ...(config.platformVerifyToken !== undefined && { verifyToken: config.platformVerifyToken }),
  });
  return { receiver, platform };
}

async function run(): Promise<void> {
  // Before the servers are up, so that a signal that comes in between is not lost.
  const stopAsked = new Promise<string>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  const { receiver, platform } = await start();
  log.info('simulator.started', { platformUrl: platform.url, receiverUrl: receiver.url });

  const signal = await stopAsked;
  await platform.stop();
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
// A server that did start before the failure would keep the process up.
process.exit();
