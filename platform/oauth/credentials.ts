import { z } from 'zod';
import type { OnCall } from '../client/call-report.ts';
import { createPlatformClient, type PlatformClientOptions } from '../client/client.ts';
import { longLivedGrant } from '../client/oauth-vocabulary.ts';

export interface PlatformCredentialsOptions extends PlatformClientOptions {
  /** The app's id at the platform. */
  readonly clientId: string;
}

/** A token and its end; null: the platform gives none. */
export interface ExchangedToken {
  readonly token: string;
  readonly expiresAt: Date | null;
}

/** Ends with the signal, and is told to `onCall`. */
export interface CredentialCall {
  readonly signal: AbortSignal;
  readonly onCall?: OnCall | undefined;
}

/** What becomes of the tokens that accounts are connected with. */
export interface PlatformCredentials {
  /** A token that lives longer, for one that still lives. Each call gives one of its own, and the old one goes on. */
  exchange(token: string, call: CredentialCall): Promise<ExchangedToken>;
  /** Whether the platform takes the token, and until when; null: no end. */
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
    // Seconds; 0 is a token without an end.
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
      // It leaves the end out at times, also where there is one.
      return { token: exchanged, expiresAt: (await inspect(exchanged, call)).expiresAt };
    },
    close: () => client.close(),
  };
}

/** Token invalid, and session invalid: whatever the subcode, only the account's owner can mend it. */
const DEAD_CODES = new Set([190, 102]);

/** Whether the platform refused a call for want of a credential that lives. */
export function isDeadCredential({ code }: { readonly code: number | null }): boolean {
  return code !== null && DEAD_CODES.has(code);
}

/** What the owners of a channel are told when its credential is dead. */
export function deadCredentialReason({
  code,
  subcode,
}: {
  readonly code: number | null;
  readonly subcode: number | null;
}): string {
  const codes = subcode === null ? `code ${code}` : `code ${code}, subcode ${subcode}`;
  return `The platform no longer takes the credential (${codes}). Connect the account again.`;
}
