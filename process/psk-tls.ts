import type { ConnectionOptions, TlsOptions } from 'node:tls';

/**
 * TLS with a pre-shared key (RFC 4279, 5489, 7905): each end proves that it has the key, without certificates. TLS 1.2,
 * because its suite demands the key. With a suite of TLS 1.3, a server without the key could show a certificate instead,
 * whose name the client does not check.
 */
const suite = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const satisfies TlsOptions;

interface PreSharedKey {
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

/** @param protocol Changes with the messages, so that releases which do not understand each other do not connect. */
export function pskServerOptions(protocol: string, find: (keyId: string) => PreSharedKey | undefined): TlsOptions {
  return {
    ...suite,
    ALPNProtocols: [protocol],
    pskCallback: (_socket, keyId) => find(keyId)?.bytes ?? null,
  };
}

export function pskClientOptions(protocol: string, { keyId, bytes }: PreSharedKey): ConnectionOptions {
  return {
    ...suite,
    ALPNProtocols: [protocol],
    pskCallback: () => ({ psk: bytes, identity: keyId }),
    checkServerIdentity: () => undefined,
  };
}
