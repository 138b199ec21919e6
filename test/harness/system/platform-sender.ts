import type { ExecutionContext } from 'ava';
import { type Platform, startPlatform } from '../../../simulator/platform.ts';
import { until } from '../until.ts';
import type { ConnectedChannel, System } from './system.ts';

export interface Sender extends Platform {
  /** Sends a message until it is answered with 200, as the platform does. Returns the message's platform id. */
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
      const accepted = await until(
        async () => {
          const [sent] = await platform.send({ product: 'chatapp', kind: 'message', resourceId, ...options });
          // Nothing was accepted, for example because the database did not answer in time.
          if (sent?.status === 503) return undefined;
          if (sent?.status !== 200) throw new Error(`The platform was answered ${sent?.status} ${sent?.error}`);
          return sent;
        },
        { for: 'The acceptance of a message' },
      );
      return accepted.platformMessageIds[0]!;
    },
  };
}
