import type { ExecutionContext } from 'ava';
import { type Platform, startPlatform } from '../../../simulator/platform.ts';
import type { ConnectedChannel, System } from './system.ts';

export interface Sender extends Platform {
  /** Sends a message and waits for the 200. Returns the message's platform id. */
  message(channel: ConnectedChannel, options?: { readonly from?: string; readonly text?: string }): Promise<string>;
}

const HANDSHAKE_TOKEN = 'handshake-token';

export async function startSender(
  t: ExecutionContext<unknown>,
  { apiUrls, platformSecret }: Pick<System, 'apiUrls' | 'platformSecret'>,
): Promise<Sender> {
  const platform = await startPlatform({
    port: 0,
    appSecret: platformSecret,
    webhookUrl: `${apiUrls[0]}/platform/webhooks`,
    verifyToken: HANDSHAKE_TOKEN,
  });
  t.teardown(() => platform.stop());
  return {
    ...platform,
    async message({ resourceId }, options = {}) {
      const [sent] = await platform.send({ product: 'chatapp', kind: 'message', resourceId, ...options });
      if (sent?.status !== 200) throw new Error(`The platform was answered ${sent?.status} ${sent?.error}`);
      return sent.platformMessageIds[0]!;
    },
  };
}
