import type { Knex } from 'knex';
import { credentialWorkflowId } from '../../contract/ids.ts';
import { refuseCredential } from '../../db/channels/refused-credentials.ts';
import { type DueCredential, findDueCredential, storeRefreshed } from '../../db/channels/credentials.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { Log } from '../../process/log.ts';
import {
  type CredentialCall,
  deadCredentialReason,
  type PlatformCredentials,
} from '../../platform/oauth/credentials.ts';
import { isDeadCredential } from '../../platform/client/refusals.ts';
import { PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type CredentialActivities = ReturnType<typeof createCredentialActivities>;

export interface CredentialDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly platformCredentials: PlatformCredentials;
  readonly outbound?: Pick<OutboundLog, 'record'>;
  readonly credentialRefreshMs: number;
  readonly log: Log;
}

interface CredentialInput {
  readonly credentialId: string;
}

interface Exchange {
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
  /** Already refreshed, replaced or no longer in use. */
  | { readonly outcome: 'not_due' }
  /** The new token expires no later than the old one. */
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'unavailable' }
  | ({ readonly outcome: 'refused' } & Codes)
  /** Refused, and confirmed as invalid by the platform. */
  | ({ readonly outcome: 'dead' } & Codes);

export function createCredentialActivities(deps: CredentialDeps) {
  const { db, secretBox, platformCredentials, credentialRefreshMs, log, outbound } = deps;

  return {
    async exchangeCredential({ credentialId }: CredentialInput): Promise<ExchangeResult> {
      const due = await findDueCredential(db, secretBox, { publicId: credentialId, withinMs: credentialRefreshMs });
      const result: ExchangeResult = due
        ? await withHeartbeat((signal) => exchange({ publicId: credentialId, due, signal }))
        : { outcome: 'not_due' };
      log.info('credential.exchanged', { credentialId, ...result });
      return result;
    },

    /** Named in recorded histories. Disconnects nothing: without a valid credential, only calls fail. */
    async disconnectChannels({ credentialId, ...codes }: CredentialInput & Codes): Promise<void> {
      const reason = deadCredentialReason(codes);
      const isChanged = await refuseCredential(db, { of: { credentialId }, reason });
      if (isChanged) log.warn('channelCredential.refused', { credentialId, ...codes });
    },
  };

  function recordedCall({ publicId, due, signal }: Exchange, operation: string): CredentialCall {
    const { workspaceId, channelId } = due;
    const ids = { workspaceId, channelId, caller: credentialWorkflowId(publicId), requestId: publicId };
    return { signal, onCall: (report) => outbound?.record({ ...report, ...ids, via: 'workflow', operation }) };
  }

  async function exchange(input: Exchange): Promise<ExchangeResult> {
    const { publicId, due } = input;
    try {
      const call = recordedCall(input, 'exchangeCredential');
      const { token, expiresAt } = await platformCredentials.exchange(due.token, call);
      if (expiresAt !== null && expiresAt <= due.expiresAt) return { outcome: 'unchanged' };
      const isKept = await storeRefreshed(db, secretBox, { publicId, sealedToken: due.sealedToken, token, expiresAt });
      return { outcome: isKept ? 'refreshed' : 'not_due' };
    } catch (error) {
      if (error instanceof PlatformUnavailable) return { outcome: 'unavailable' };
      if (!(error instanceof PlatformRejected)) throw error;
      return await inspectRefused(error, input);
    }
  }

  /** A refusal may concern the app instead of the credential. */
  async function inspectRefused({ code, subcode }: PlatformRejected, input: Exchange) {
    const refused: ExchangeResult = { outcome: 'refused', code, subcode };
    if (!isDeadCredential({ code, subcode })) return refused;
    try {
      const call = recordedCall(input, 'inspectCredential');
      const { isValid } = await platformCredentials.inspect(input.due.token, call);
      return isValid ? refused : { outcome: 'dead' as const, code, subcode };
    } catch (error) {
      if (error instanceof PlatformUnavailable || error instanceof PlatformRejected) return refused;
      throw error;
    }
  }
}
