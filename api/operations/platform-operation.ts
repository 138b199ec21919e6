import type { ChannelType } from '../../contract/event-types.ts';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import type { AccountClient } from '../../platform/operations/account-client.ts';
import { type CallProgress, createDirectCalls } from '../requests/direct-calls.ts';
import { onceByKey } from './once-by-key.ts';
import { type Mount, mountRoute, type RouteAnswer, type RouteRequest } from '../routing/mount-route.ts';
import {
  Conflict,
  InvalidRequest,
  OutcomeUnknown,
  PlatformRefused,
  PlatformUnreachable,
  ScopeDenied,
} from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import { findChannelAccount } from '../../db/channels/account.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { credentialRefused, disconnected } from '../requests/uncallable.ts';
import { refuseCredential } from '../../db/channels/refused-credentials.ts';
import { refusalOf } from '../../platform/client/refusals.ts';
import { deadCredentialReason } from '../../platform/oauth/credentials.ts';
import { proofParameter } from '../../platform/client/app-secret-proof.ts';
import { PlatformOutcomeLost, PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import { MessageNotAllowed } from '../../platform/operations/native-message.ts';
import { NotOwned } from '../../platform/operations/require-own.ts';

interface PlatformRoute<Route extends RouteDefinition> {
  readonly types: readonly ChannelType[];
  /** Optional. What the client must check if the outcome is unknown. */
  readonly check?: string;
  readonly act: (client: AccountClient, request: RouteRequest<Route>) => Promise<RouteAnswer<Route>>;
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
  mountRoute(mount, route, async (request) => {
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
          readAnswer: (kept) => kept as RouteAnswer<Route>,
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

interface PlatformAct<Answer> {
  readonly channel: ChannelRecord;
  readonly principal: Principal;
  readonly requestId: string;
  readonly callerRequestId: string | null;
  readonly operationId: string;
  /** What the client must check if the outcome is unknown. */
  readonly check: string;
  readonly progress: CallProgress;
  readonly act: (client: AccountClient) => Promise<Answer>;
}

async function callPlatform<Answer>(deps: ApiDeps, platformAct: PlatformAct<Answer>): Promise<Answer> {
  const { channel, principal, requestId, callerRequestId, operationId, check, progress, act } = platformAct;
  const account = await findChannelAccount(deps.db, deps.secretBox, channel);
  if (!account) throw disconnected();
  if (account.refusedReason !== null) throw credentialRefused(account.refusedReason);
  const client = deps.platform.actFor({
    ...account,
    ...progress,
    type: channel.type,
    onCall: (report) =>
      deps.outbound.record({
        ...report,
        channelId: channel.id,
        workspaceId: channel.workspaceId,
        via: 'api',
        caller: principal.credentialId,
        operation: operationId,
        requestId,
        callerRequestId,
      }),
  });
  try {
    return await act(client);
  } catch (error) {
    throw await platformFailure(deps, error, { channel, token: account.token, check });
  }
}

function requireType({ type }: ChannelRecord, types: readonly ChannelType[]): void {
  if (types.includes(type)) return;
  throw new Conflict('CHANNEL_TYPE_MISMATCH', `This is for ${types.join(' and ')} channels; this one is ${type}.`);
}

interface FailedCall {
  readonly channel: { readonly id: number; readonly publicId: string };
  readonly token: string;
  readonly check: string;
}

async function platformFailure(deps: ApiDeps, error: unknown, call: FailedCall): Promise<unknown> {
  if (error instanceof PlatformOutcomeLost) {
    return new OutcomeUnknown(
      `The platform's answer was lost (${error.message}): it may or may not have been done. Do not repeat this ` +
        `blindly. ${call.check}`,
    );
  }
  if (error instanceof PlatformUnavailable) {
    const effect = error.mayBeDone
      ? 'It may or may not have been done, and doing it again does no harm.'
      : 'Nothing was sent or published.';
    return new PlatformUnreachable(`${error.message}. ${effect} Try again shortly.`);
  }
  if (error instanceof NotOwned) return new ScopeDenied(error.message);
  if (error instanceof MessageNotAllowed) return new InvalidRequest(`${error.message}.`);
  return error instanceof PlatformRejected ? await refusal(deps, error, call) : error;
}

/** A refused write that may have been done is a PlatformOutcomeLost. */
async function refusal(deps: ApiDeps, error: PlatformRejected, call: FailedCall): Promise<Error> {
  const { kind, code, retryAfterSeconds, says } = refusalOf('read', error);
  if (kind === 'credential') return await refusedCredential(deps, error, call);
  const message = `${says} ${messageOf(error)}`.trim();
  // A repeat fails, too, so that clients must not take an invalid request for a failure of the platform.
  return new PlatformRefused(isOfOperator(error) ? 'PLATFORM_REJECTED' : code, message, {
    retryAfterSeconds: retryAfterSeconds ?? error.retryAfterSeconds ?? undefined,
  });
}

/** Stops further calls. The channel stays connected, because its events arrive without a token. */
async function refusedCredential(
  { db, secretBox, log }: ApiDeps,
  error: PlatformRejected,
  { channel, token }: FailedCall,
): Promise<Error> {
  const reason = deadCredentialReason(error);
  await refuseCredential(db, { of: { channelId: channel.id }, reason, refused: { secretBox, token } });
  log.warn('channelCredential.refused', { channelId: channel.publicId, code: error.code, subcode: error.subcode });
  return credentialRefused(reason);
}

/** The proof is made with the app secret of the installation. */
function isOfOperator({ text }: PlatformRejected): boolean {
  return text?.includes(proofParameter) === true;
}

function messageOf({ status, code, subcode, text }: PlatformRejected): string {
  const codes = [code !== null && `code ${code}`, subcode !== null && `subcode ${subcode}`].filter(Boolean).join(', ');
  return `The platform refused this (${codes || `status ${status}`})${text === null ? '.' : `: ${text}`}`;
}
