import type { LookupAddress } from 'node:dns';
import dns, { Resolver } from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import './own-clock.ts';

/**
 * Loaded into worker and API with `--import`, with a clock that can step. With a port, resolves names below `example.com` at the run's DNS server, which otherwise
 * needs a machine-wide setting.
 */
const OWN_NAME = /\.example\.com$/;
const { FAULTS_DNS_PORT: port } = process.env;

if (port !== undefined) {
  const systemLookup = dns.lookup;
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const ownLookup = async (hostname: string, options: { all?: boolean }): Promise<LookupAddress | LookupAddress[]> => {
    if (!OWN_NAME.test(hostname)) return await systemLookup(hostname, options);
    const addresses = (await resolver.resolve4(hostname)).map((address) => ({ address, family: 4 }));
    return options.all ? addresses : addresses[0]!;
  };
  Object.assign(dns, { lookup: ownLookup });
  syncBuiltinESMExports();
}
