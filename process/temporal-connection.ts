import { loadClientConnectConfig } from '@temporalio/envconfig';

export function temporalConnection() {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return {
    options: { ...connectionOptions, address: connectionOptions.address ?? 'localhost:7233' },
    namespace: namespace ?? 'default',
  };
}
