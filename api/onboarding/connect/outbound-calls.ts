import type { OnCall } from '../../../platform/client/call-report.ts';
import type { OpenAttempt } from './attempt.ts';
import type { ConnectDeps } from './deps.ts';

export type ConnectOperation = 'redeemConsent' | 'subscribeAccount' | 'registerNumber';

/** Recorded under the link, because the channel does not exist yet. */
export function recordConnectCalls(
  { outbound }: Pick<ConnectDeps, 'outbound'>,
  { link }: Pick<OpenAttempt, 'link'>,
  { operation, requestId }: { readonly operation: ConnectOperation; readonly requestId: string },
): OnCall {
  const caller = link.publicId;
  const { workspaceId } = link;
  return (report) =>
    outbound.record({ ...report, channelId: null, workspaceId, via: 'api', caller, operation, requestId });
}
