import type { LookupAddress } from 'node:dns';
import dns, { Resolver } from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before a worker (`--import`): has the look-up ask the run's own name server for the names below `example.com`,
 * which the system could only be told by a file that belongs to the whole machine. All that comes after the look-up,
 * judging and connecting, is the worker's own.
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
