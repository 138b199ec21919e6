import { chatappWordOf } from '../client/chatapp-word.ts';
import { type AccountClient, type ActingAccount, createAccountClient, createClients } from './account-client.ts';
import { createBusinessIds } from './business-id.ts';

export interface PlatformOperationsOptions {
  readonly apiUrl: string;
  readonly clientId: string;
  readonly appSecret: string;
  /** Optional. Default: the upstream's word. */
  readonly chatappWord?: string;
  readonly timeoutMs?: number;
}

export interface PlatformOperations {
  actFor(account: ActingAccount): AccountClient;
  close(): Promise<void>;
}

export function createPlatformOperations(needs: PlatformOperationsOptions): PlatformOperations {
  const { clientId, chatappWord: setting, ...options } = needs;
  const chatappWord = chatappWordOf(setting);
  const clients = createClients(options);
  const findBusinessId = createBusinessIds({
    client: clients.of('chatapp'),
    appToken: `${clientId}|${options.appSecret}`,
  });
  return {
    actFor(account) {
      const client = clients.of(account.type);
      return createAccountClient({ client, account, apiUrl: options.apiUrl, chatappWord, findBusinessId });
    },
    close: () => clients.close(),
  };
}
