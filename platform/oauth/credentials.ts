import { z } from 'zod';
import type { OnCall } from '../client/call-report.ts';
import { createPlatformClient, type PlatformClientOptions } from '../client/client.ts';
import { longLivedGrant } from '../client/oauth-vocabulary.ts';

export interface PlatformCredentialsOptions extends PlatformClientOptions {
  readonly clientId: string;
}

export interface ExchangedToken {
  readonly token: string;
  readonly expiresAt: Date | null;
}

export interface CredentialCall {
  readonly signal: AbortSignal;
  readonly onCall?: OnCall | undefined;
}

export interface PlatformCredentials {
  /** Each call returns a new token; the old one stays valid. */
  exchange(token: string, call: CredentialCall): Promise<ExchangedToken>;
  inspect(token: string, call: CredentialCall): Promise<{ readonly isValid: boolean; readonly expiresAt: Date | null }>;
  close(): Promise<void>;
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().nonnegative().optional() });
const inspection = z.object({
  data: z.object({ is_valid: z.boolean(), expires_at: z.number().nonnegative().optional() }),
});

export function createPlatformCredentials(options: PlatformCredentialsOptions): PlatformCredentials {
  const { clientId, appSecret } = options;
  const client = createPlatformClient(options);

  const inspect: PlatformCredentials['inspect'] = async (token, call) => {
    const query = { input_token: token, access_token: `${clientId}|${appSecret}` };
    const { data } = await client.once(inspection, { path: 'debug_token', query, ...call });
    // Seconds; 0 means that the token does not expire.
    return { isValid: data.is_valid, expiresAt: data.expires_at ? new Date(data.expires_at * 1000) : null };
  };

  return {
    inspect,
    async exchange(token, call) {
      const grant = { grant_type: longLivedGrant.type, [longLivedGrant.parameter]: token };
      const query = { client_id: clientId, client_secret: appSecret, ...grant };
      const answer = await client.once(tokenAnswer, { path: 'oauth/access_token', query, ...call });
      const { access_token: exchanged, expires_in: seconds } = answer;
      if (seconds) return { token: exchanged, expiresAt: new Date(Date.now() + seconds * 1000) };
      // The response may omit the expiry although there is one.
      return { token: exchanged, expiresAt: (await inspect(exchanged, call)).expiresAt };
    },
    close: () => client.close(),
  };
}

export function deadCredentialReason({
  code,
  subcode,
}: {
  readonly code: number | null;
  readonly subcode: number | null;
}): string {
  const codes = subcode === null ? `code ${code}` : `code ${code}, subcode ${subcode}`;
  return `The platform no longer takes the credential (${codes}). Connect the account again. Events are still received.`;
}
