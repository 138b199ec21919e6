import type { Knex } from 'knex';
import { credentialWorkflowId } from '../../contract/ids.ts';
import { disconnectCredential } from '../../db/channels/channels.ts';
import { type DueCredential, findDueCredential, storeRefreshed } from '../../db/channels/credential-refresh.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { Log } from '../../process/log.ts';
import {
  type CredentialCall,
  deadCredentialReason,
  isDeadCredential,
  type PlatformCredentials,
} from '../../platform/oauth/credentials.ts';
import { PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type CredentialActivities = ReturnType<typeof createCredentialActivities>;

export interface CredentialDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly platformCredentials: PlatformCredentials;
  /** Where calls to the platform are written down; left out where nobody reads it. */
  readonly outbound?: Pick<OutboundLog, 'record'>;
  /** How long before its end a credential is refreshed. */
  readonly credentialRefreshMs: number;
  readonly log: Log;
}

interface CredentialInput {
  readonly credentialId: string;
}

interface Exchanging {
  readonly publicId: string;
  readonly due: DueCredential;
  readonly signal: AbortSignal;
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
  const { db, secretBox, platformCredentials, credentialRefreshMs, log, outbound } = deps;

  return {
    /** Exchanges a credential that is due for one that lives longer, and keeps that one in its place. */
    async exchangeCredential({ credentialId }: CredentialInput): Promise<ExchangeResult> {
      const due = await findDueCredential(db, secretBox, { publicId: credentialId, withinMs: credentialRefreshMs });
      const result: ExchangeResult = due
        ? await withHeartbeat((signal) => exchange({ publicId: credentialId, due, signal }))
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

  /** Each call is written down under the workflow's id and the credential's: no request waits for it. */
  function reported({ publicId, due, signal }: Exchanging, operation: string): CredentialCall {
    const { workspaceId, channelId } = due;
    const whose = { workspaceId, channelId, caller: credentialWorkflowId(publicId), requestId: publicId };
    return { signal, onCall: (report) => outbound?.record({ ...report, ...whose, via: 'workflow', operation }) };
  }

  async function exchange(exchanging: Exchanging): Promise<ExchangeResult> {
    const { publicId, due } = exchanging;
    try {
      const call = reported(exchanging, 'exchangeCredential');
      const { token, expiresAt } = await platformCredentials.exchange(due.token, call);
      if (expiresAt !== null && expiresAt <= due.expiresAt) return { outcome: 'unchanged' };
      const isKept = await storeRefreshed(db, secretBox, { publicId, sealedToken: due.sealedToken, token, expiresAt });
      return { outcome: isKept ? 'refreshed' : 'not_due' };
    } catch (error) {
      if (error instanceof PlatformUnavailable) return { outcome: 'unavailable' };
      if (!(error instanceof PlatformRejected)) throw error;
      return await judge(error, exchanging);
    }
  }

  /** A refusal may be about us, not about the credential: only a second look makes it dead. */
  async function judge({ code, subcode }: PlatformRejected, exchanging: Exchanging) {
    const refused: ExchangeResult = { outcome: 'refused', code, subcode };
    if (!isDeadCredential({ code })) return refused;
    try {
      const call = reported(exchanging, 'inspectCredential');
      const { isValid } = await platformCredentials.inspect(exchanging.due.token, call);
      return isValid ? refused : { outcome: 'dead' as const, code, subcode };
    } catch (error) {
      if (error instanceof PlatformUnavailable || error instanceof PlatformRejected) return refused;
      throw error;
    }
  }
}
