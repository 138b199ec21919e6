import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A closed set, because it is a label of a metric. */
export type CertificateName = 'database_ca' | 'database_client' | 'temporal_ca' | 'temporal_client';

export interface CertificateEnd {
  readonly certificate: CertificateName;
  readonly endsAt: Date;
}

export interface CertificateSources {
  readonly databaseUrl: string;
  /** Optional. As the SDK has read it. Omit in processes that do not call Temporal. */
  readonly temporalTls?: boolean | TemporalTls | null | undefined;
}

interface TemporalTls {
  readonly serverRootCACertificate?: Uint8Array | undefined;
  readonly clientCertPair?: { readonly crt: Uint8Array } | undefined;
}

/**
 * Reads when the configured certificates end. Those of Temporal are used as they were at the start of the process, those
 * of the database as they are on disk. Throws if one cannot be read.
 */
export async function readCertificateEnds(sources: CertificateSources): Promise<readonly CertificateEnd[]> {
  const { searchParams } = new URL(sources.databaseUrl);
  const tls = typeof sources.temporalTls === 'object' ? sources.temporalTls : null;
  const found = [
    endOf('database_ca', await fileAt(searchParams.get('sslrootcert'))),
    endOf('database_client', await fileAt(searchParams.get('sslcert'))),
    endOf('temporal_ca', tls?.serverRootCACertificate),
    endOf('temporal_client', tls?.clientCertPair?.crt),
  ];
  return found.filter((end) => end !== undefined);
}

async function fileAt(path: string | null): Promise<Uint8Array | undefined> {
  return path === null || path === 'system' ? undefined : await readFile(path);
}

/** A bundle of authorities ends with its last one. The first certificate of a chain is the client's own. */
function endOf(certificate: CertificateName, pem: Uint8Array | undefined): CertificateEnd | undefined {
  if (pem === undefined) return undefined;
  const blocks = Buffer.from(pem)
    .toString('latin1')
    .split(/(?=-----BEGIN CERTIFICATE-----)/);
  const ends = blocks
    .filter((block) => block.startsWith('-----BEGIN CERTIFICATE-----'))
    .map((block) => new X509Certificate(block).validToDate);
  const own = certificate.endsWith('_ca') ? ends : ends.slice(0, 1);
  const endsAtMs = Math.max(...own.map((end) => end.getTime()));
  return Number.isFinite(endsAtMs) ? { certificate, endsAt: new Date(endsAtMs) } : undefined;
}
