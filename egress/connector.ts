import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { Cidr } from '../contract/addresses/classify-address.ts';
import { EgressFailure } from './failure.ts';
import { isReachable, type Resolver } from './resolve.ts';

export interface ConnectorOptions {
  readonly resolver: Resolver;
  readonly allowCidrs: readonly Cidr[];
  readonly connectTimeoutMs: number;
  /** Certificates to trust besides the usual roots, PEM. */
  readonly extraCa?: string | undefined;
}

/**
 * Opens connections to vetted addresses only. Names are resolved by the socket's own look-up, so the address that was
 * judged is the address that is connected to, while TLS still checks the certificate against the name. A socket asks
 * no look-up about an address literal, hence the check before.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { resolver, allowCidrs, connectTimeoutMs, extraCa } = options;
  const connect = buildConnector({
    lookup: vettedLookup(resolver),
    timeout: connectTimeoutMs,
    // Without h2, a pool needs no probe of the protocol and its limit of connections is the limit of requests.
    allowH2: false,
    autoSelectFamily: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    // One for all connections: building it reads all roots.
    secureContext: createSecureContext(extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] }),
  });

  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !isReachable(target.hostname, allowCidrs)) {
      callback(new EgressFailure('address_not_allowed', target.hostname), null);
      return;
    }
    connect(target, callback);
  };
}

function vettedLookup(resolver: Resolver): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolver.resolve(hostname).then(
      (addresses) => {
        const first = addresses.find((address) => !family || address.family === family) ?? addresses[0];
        if (all || first === undefined) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
