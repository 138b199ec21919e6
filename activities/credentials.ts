import type { Knex } from 'knex';
import { disconnectCredential } from '../db/channels.ts';
import { type DueCredential, findDueCredential, storeRefreshed } from '../db/credential-refresh.ts';
import type { SecretBox } from '../db/secrets.ts';
import type { Log } from '../log.ts';
import { deadCredentialReason, isDeadCredential, type PlatformCredentials } from '../platform/credentials.ts';
import { PlatformRejected, PlatformUnavailable } from '../platform/errors.ts';
import { whileBeating } from './heartbeat.ts';

export type CredentialActivities = ReturnType<typeof createCredentialActivities>;

export interface CredentialDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly platformCredentials: PlatformCredentials;
  /** How long before its end a credential is refreshed. */
  readonly credentialRefreshMs: number;
  readonly log: Log;
}

interface CredentialInput {
  readonly credentialId: string;
}

interface Codes {
  readonly code: number | null;
  readonly subcode: number | null;
}

export type ExchangeResult =
  | { readonly outcome: 'refreshed' }
  /** Refreshed, replaced or needed by nothing meanwhile. */
  | { readonly outcome: 'not_due' }
  /** The platform gave a token that ends no later. */
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'unavailable' }
  | ({ readonly outcome: 'refused' } & Codes)
  /** Refused, and when asked about it the platform says that it is no longer valid. */
  | ({ readonly outcome: 'dead' } & Codes);

export function createCredentialActivities(deps: CredentialDeps) {
  const { db, secretBox, platformCredentials, credentialRefreshMs, log } = deps;

  return {
    /** Exchanges a credential that is due for one that lives longer, and keeps that one in its place. */
    async exchangeCredential({ credentialId }: CredentialInput): Promise<ExchangeResult> {
      const due = await findDueCredential(db, secretBox, { publicId: credentialId, withinMs: credentialRefreshMs });
      const result: ExchangeResult = due
        ? await whileBeating((signal) => exchange(credentialId, due, signal))
        : { outcome: 'not_due' };
      log.info('credential.exchanged', { credentialId, ...result });
      return result;
    },

    /** Disconnects the channels of a dead credential; again, there are none left. */
    async disconnectChannels({ credentialId, ...codes }: CredentialInput & Codes): Promise<void> {
      const reason = deadCredentialReason(codes);
      const { channelIds } = await disconnectCredential(db, { credentialId, reason });
      for (const channelId of channelIds) log.warn('channel.disconnected', { channelId, credentialId, ...codes });
    },
  };

  async function exchange(publicId: string, due: DueCredential, signal: AbortSignal): Promise<ExchangeResult> {
    try {
      const { token, expiresAt } = await platformCredentials.exchange(due.token, signal);
      if (expiresAt !== null && expiresAt <= due.expiresAt) return { outcome: 'unchanged' };
      const isKept = await storeRefreshed(db, secretBox, { publicId, sealedToken: due.sealedToken, token, expiresAt });
      return { outcome: isKept ? 'refreshed' : 'not_due' };
    } catch (error) {
      if (error instanceof PlatformUnavailable) return { outcome: 'unavailable' };
      if (!(error instanceof PlatformRejected)) throw error;
      return await judge(error, due, signal);
    }
  }

  /** A refusal may be about us, not about the credential: only a second look makes it dead. */
  async function judge({ code, subcode }: PlatformRejected, due: DueCredential, signal: AbortSignal) {
    const refused: ExchangeResult = { outcome: 'refused', code, subcode };
    if (!isDeadCredential({ code })) return refused;
    try {
      const { isValid } = await platformCredentials.inspect(due.token, signal);
      return isValid ? refused : { outcome: 'dead' as const, code, subcode };
    } catch (error) {
      if (error instanceof PlatformUnavailable || error instanceof PlatformRejected) return refused;
      throw error;
    }
  }
}
