import type { ChannelType } from '../../contract/event-types.ts';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import type { AccountClient } from '../../platform/operations/account-client.ts';
import { createDirectCalls } from '../requests/direct-calls.ts';
import { onceByKey } from './once-by-key.ts';
import { type Mount, mountOperation, type OperationAnswer, type OperationRequest } from '../routing/operation.ts';
import { callPlatform, requireType } from './call-platform.ts';
import { OutcomeUnknown } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';

interface PlatformRoute<Route extends RouteDefinition> {
  readonly types: readonly ChannelType[];
  /** Optional. What the client must check if the outcome is unknown. */
  readonly check?: string;
  readonly act: (client: AccountClient, request: OperationRequest<Route>) => Promise<OperationAnswer<Route>>;
}

/** TypeScript can't derive these fields from a generic definition. */
interface ChannelRequest {
  readonly channel: ChannelRecord;
  readonly principal: Principal;
  readonly requestId: string;
  readonly callerRequestId: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly idempotencyKey: string | null | undefined;
}

/** Calls the platform once per Idempotency-Key. */
export function mountPlatformOperation<const Route extends RouteDefinition>(
  mount: Mount,
  route: Route,
  { types, check = 'Look at the account first.', act }: PlatformRoute<Route>,
): void {
  const { deps } = mount;
  const { operationId } = route;
  const directCalls = deps.directCalls ?? createDirectCalls();
  mountOperation(mount, route, async (request) => {
    const { channel, principal, requestId, callerRequestId, params, body, idempotencyKey } =
      request as unknown as ChannelRequest;
    requireType(channel, types);
    const call = { channel, principal, requestId, callerRequestId, operationId, check };
    return await directCalls.run({
      act: async (progress) =>
        await onceByKey(deps, {
          channel,
          operationId,
          idempotencyKey: idempotencyKey ?? null,
          content: { params, body: body ?? null },
          check,
          signal: progress.signal,
          readAnswer: (kept) => kept as OperationAnswer<Route>,
          act: () => callPlatform(deps, { ...call, progress, act: (client) => act(client, request) }),
        }),
      unknown: () => answeredEarly({ check, isKeyed: typeof idempotencyKey === 'string' }),
    });
  });
}

function answeredEarly({ check, isKeyed }: { readonly check: string; readonly isKeyed: boolean }): OutcomeUnknown {
  const repeat = isKeyed
    ? 'Repeat the request with the same Idempotency-Key to learn the outcome; nothing is sent again.'
    : 'Do not repeat this blindly.';
  return new OutcomeUnknown(
    `The server stopped before the platform answered: it may or may not have been done. ${repeat} ${check}`,
  );
}
