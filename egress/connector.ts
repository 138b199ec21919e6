import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { Cidr } from '../contract/addresses/classify-address.ts';
import { EgressFailure } from './failure.ts';
import { isReachable, type Resolver } from './resolve.ts';
import { skipInformational } from './skip-informational.ts';

export interface ConnectorOptions {
  /** Its look-ups count for this workspace. */
  readonly workspaceId: string;
  readonly resolver: Resolver;
  readonly allowCidrs: readonly Cidr[];
  readonly connectTimeoutMs: number;
  readonly secureContext: SecureContext;
}

/** Of the final response, and of all responses of status 1xx before it. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** The DNS lookup checks addresses, so the checked address is the connected one, and TLS still verifies the name. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { workspaceId, resolver, allowCidrs, connectTimeoutMs, secureContext } = options;
  const connect = buildConnector({
    lookup: vettedLookup(resolver, workspaceId),
    timeout: connectTimeoutMs,
    // With HTTP/1.1, the connection limit also limits concurrent requests.
    allowH2: false,
    autoSelectFamily: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    secureContext,
  });

  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !isReachable(target.hostname, allowCidrs)) {
      callback(new EgressFailure('address_not_allowed', target.hostname), null);
      return;
    }
    connect(target, (...result) => {
      if (result[0] === null) skipInformational(result[1], MAX_HEAD_BYTES);
      callback(...result);
    });
  };
}

/** One for all connections, because each context parses all root certificates. */
export function createTrust(extraCa: string | undefined): SecureContext {
  return createSecureContext(extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] });
}

function vettedLookup(resolver: Resolver, workspaceId: string): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolver.resolve(hostname, workspaceId).then(
      (addresses) => {
        const first = addresses.find((address) => !family || address.family === family) ?? addresses[0];
        if (all || first === undefined) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
