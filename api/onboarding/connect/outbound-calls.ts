import type { OnCall } from '../../../platform/client/call-report.ts';
import type { OpenAttempt } from './attempt.ts';
import type { ConnectDeps } from './deps.ts';

export type ConnectOperation = 'redeemConsent' | 'subscribeAccount';

/** Writes the platform's calls of an attempt down under the link that it came by: a channel there is none yet. */
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
