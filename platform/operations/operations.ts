import { type AccountClient, type ActingAccount, createAccountClient, createClients } from './account-client.ts';
import { createBusinessIds } from './business-id.ts';

export interface PlatformOperationsOptions {
  /** Where the platform's API is, without a version. */
  readonly apiUrl: string;
  readonly clientId: string;
  readonly appSecret: string;
  readonly timeoutMs?: number;
}

/** What can be done with an account beyond connecting it. */
export interface PlatformOperations {
  actFor(account: ActingAccount): AccountClient;
  close(): Promise<void>;
}

export function createPlatformOperations({ clientId, ...options }: PlatformOperationsOptions): PlatformOperations {
  const clients = createClients(options);
  const findBusinessId = createBusinessIds({
    client: clients.of('chatapp'),
    appToken: `${clientId}|${options.appSecret}`,
  });
  return {
    actFor: (account) =>
      createAccountClient({ client: clients.of(account.type), account, apiUrl: options.apiUrl, findBusinessId }),
    close: () => clients.close(),
  };
}
