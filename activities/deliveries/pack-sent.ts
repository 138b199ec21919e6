import { hash } from 'node:crypto';
import { parseSignatures } from '../../contract/deliveries/signature.ts';
import { packRequest } from '../../db/deliveries/pack-request.ts';

export interface SentParts {
  readonly url: string;
  readonly body: Uint8Array;
  readonly signed: Readonly<Record<string, string>>;
  /** Optional. Static headers and the authorization. */
  readonly own?: Readonly<Record<string, string>> | undefined;
  /** Optional. The header of a traced attempt. */
  readonly header?: Readonly<Record<string, string>> | undefined;
}

/** Packs what the ledger keeps of a request. */
export function packSent({ url, body, signed, own = {}, header = {} }: SentParts): Buffer {
  const { service, standard } = parseSignatures(signed);
  return packRequest({
    url,
    atSeconds: Number(signed['webhook-timestamp']),
    bodySha256: hash('sha256', body, 'buffer'),
    signatures: service.map((hex, index) => ({
      service: Buffer.from(hex, 'hex'),
      standard: Buffer.from(standard[index]!, 'base64'),
    })),
    redactedHeaders: Object.keys(own),
    traceParent: header['traceparent'] ?? null,
  });
}
