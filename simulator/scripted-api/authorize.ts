import { createHmac } from 'node:crypto';
import type { JsonObject } from '../webhooks/item.ts';
import { textAt, type Incoming } from './parameters.ts';
import { Refusal, refusals } from './refusals.ts';

/** Uploads send `OAuth` instead of `Bearer`. */
export function tokenOf({ request }: Incoming, values: JsonObject): string | undefined {
  const header = /^(?:Bearer|OAuth) (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return header ?? textAt(values, 'access_token');
}

interface Credentials {
  readonly token: string | undefined;
  readonly proof: unknown;
}

/** Accepts every token except the script's `deadTokens`. */
export function authorize(
  { token, proof }: Credentials,
  { appSecret, deadTokens }: { readonly appSecret: string; readonly deadTokens: readonly string[] },
): string {
  if (token === undefined) throw new Refusal(refusals.noToken);
  if (deadTokens.includes(token)) throw new Refusal(refusals.deadToken);
  if (proof !== undefined && !isProof(proof, { token, appSecret })) throw new Refusal(refusals.wrongProof);
  return token;
}

export function isProof(proof: unknown, { token, appSecret }: { token: string; appSecret: string }): boolean {
  return proof === createHmac('sha256', appSecret).update(token).digest('hex');
}
