import { loadClientConnectConfig } from '@temporalio/envconfig';

/**
 * How to reach Temporal: the SDK's own reading of its standard `TEMPORAL_*` variables (address, namespace, TLS, API
 * key), so that an installation is pointed at its server the way every Temporal tool is.
 */
export function temporalConnection() {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return {
    options: { ...connectionOptions, address: connectionOptions.address ?? 'localhost:7233' },
    namespace: namespace ?? 'default',
  };
}
