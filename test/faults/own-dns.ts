import dns, { Resolver } from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import './own-clock.ts';

/**
 * Loaded into worker and API with `--import`, with a clock that can step. With a port, names are looked up at the run's DNS
 * server, which otherwise needs a machine-wide setting.
 */
const { FAULTS_DNS_PORT: port } = process.env;

if (port !== undefined) {
  class OwnResolver extends Resolver {
    constructor(options?: ConstructorParameters<typeof Resolver>[0]) {
      super(options);
      this.setServers([`127.0.0.1:${port}`]);
    }
  }
  Object.assign(dns, { Resolver: OwnResolver });
  syncBuiltinESMExports();
}
