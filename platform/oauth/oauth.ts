import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import { type FoundAccounts, listAccounts, type CustomerToken, type PlatformAccount } from './accounts.ts';
import { subscribeTo } from './subscriptions.ts';
import type { OnCall } from '../client/call-report.ts';
import { createPlatformClient } from '../client/client.ts';
import { consentScopes, longLivedGrant, pageFields, searchScopes } from '../client/oauth-vocabulary.ts';

export interface PlatformOAuthOptions {
  readonly oauthUrl: string;
  readonly apiUrl: string;
  readonly apiVersion: string;
  readonly clientId: string;
  readonly appSecret: string;
  /** Optional. Replaces default scopes; an empty list means the defaults. */
  readonly scopes?: Partial<Record<ChannelType, readonly string[]>>;
  /** Optional. Replaces the fields of Pages; an empty list means the defaults. */
  readonly pageFields?: readonly string[];
  readonly timeoutMs?: number;
}

export interface PlatformOAuth {
  readonly oauthUrl: string;
  consentUrl(consent: { type: ChannelType; state: string; redirectUri: string }): string;
  /** Exchanges the code for the granted accounts and their tokens. A code works once. */
  redeem(grant: {
    type: ChannelType;
    code: string;
    redirectUri: string;
    signal: AbortSignal;
    onCall?: OnCall;
  }): Promise<FoundAccounts>;
  /** Returns the fields of a Page that the platform refuses. */
  subscribe(target: {
    type: ChannelType;
    account: PlatformAccount;
    signal: AbortSignal;
    onCall?: OnCall;
  }): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Reported {
  readonly signal: AbortSignal;
  readonly onCall?: OnCall;
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().nonnegative().optional() });

export function createPlatformOAuth(options: PlatformOAuthOptions): PlatformOAuth {
  const { oauthUrl, clientId, appSecret, apiUrl, apiVersion, timeoutMs } = options;
  const client = createPlatformClient({ apiUrl, version: apiVersion, appSecret, ...(timeoutMs && { timeoutMs }) });
  const identity = { client_id: clientId, client_secret: appSecret };

  async function tokenFor(query: Record<string, string>, reported: Reported): Promise<CustomerToken> {
    const path = 'oauth/access_token';
    const answer = await client.once(tokenAnswer, { path, query: { ...identity, ...query }, ...reported });
    const { access_token: token, expires_in: seconds } = answer;
    return { token, expiresAtMs: seconds ? Date.now() + seconds * 1000 : null };
  }

  return {
    oauthUrl,
    consentUrl({ type, state, redirectUri }) {
      const scopes = options.scopes?.[type] ?? [];
      const url = new URL(oauthUrl);
      url.searchParams.set('client_id', clientId);
      url.searchParams.set('redirect_uri', redirectUri);
      url.searchParams.set('response_type', 'code');
      url.searchParams.set('state', state);
      url.searchParams.set(
        'scope',
        (scopes.length > 0 ? scopes : [...consentScopes[type], ...searchScopes[type]]).join(','),
      );
      return url.href;
    },
    async redeem({ type, code, redirectUri, ...reported }) {
      const first = await tokenFor({ redirect_uri: redirectUri, code }, reported);
      const exchange = { grant_type: longLivedGrant.type, [longLivedGrant.parameter]: first.token };
      const lasting = await tokenFor(exchange, reported);
      return await listAccounts(client, { ...lasting, type, appToken: `${clientId}|${appSecret}`, ...reported });
    },
    subscribe({ type, account: { subscriptionId: path, token }, ...reported }) {
      const given = options.pageFields?.length ? options.pageFields : pageFields;
      return subscribeTo(client, { path, token, fields: type === 'chatapp' ? null : given, ...reported });
    },
    close: () => client.close(),
  };
}
