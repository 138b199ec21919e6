import { standardHeaders } from '../../contract/deliveries/signature.ts';
import { senderUserAgent } from '../../contract/deliveries/user-agents.ts';
import type { Egress, EgressResult } from '../../egress/client.ts';
import { hmacSha256, signingSecret } from '../signing/open-secret.ts';

export interface SignedCall {
  /** Equal in all attempts. */
  readonly id: string;
  readonly url: string;
  /** Texts, newest first; at least one. */
  readonly secrets: readonly string[];
  /** JSON. */
  readonly body: string;
  /** Calls of one group share connections. */
  readonly group: string;
  /** Whose connections the call counts among. */
  readonly workspaceId: string;
}

/** Then the call is not sent. */
const MAX_WAIT_MS = 10_000;

/** Makes one attempt of a call that is no delivery, signed by Standard Webhooks. */
export async function sendSigned(egress: Pick<Egress, 'send'>, call: SignedCall): Promise<EgressResult> {
  const { id, url, secrets, group, workspaceId } = call;
  const body = Buffer.from(call.body);
  const signed = { id, atMs: Date.now(), body, secrets: secrets.map(signingSecret) };
  const headers = {
    'content-type': 'application/json',
    'user-agent': senderUserAgent,
    ...standardHeaders(signed, hmacSha256),
  };
  return await egress.send({ method: 'POST', url, headers, body, group, workspaceId, maxWaitMs: MAX_WAIT_MS });
}
