import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBodyBudget } from '../process/body-budget.ts';
import { clientAddressOf } from '../process/client-address.ts';
import { awaitSmallRest } from '../process/lingering-close.ts';
import { onceClosed } from '../process/once-closed.ts';
import type { Shares } from '../process/shares.ts';
import { createAdmission } from './access/admission.ts';
import { createSendAnswer } from './forwarding/answer.ts';
import { authenticate } from './access/authenticate.ts';
import { beginCall, type Call, type ChannelCall } from './calls/call.ts';
import { createCallOnce, createUpstream } from './upstream/upstream.ts';
import { defaultLimits, type GatewayDeps } from './calls/deps.ts';
import { createPassFile } from './forwarding/files.ts';
import { createForward } from './forwarding/forward.ts';
import { createOwnership } from './ownership/ownership.ts';
import { RouteNotFound } from '../process/http-errors.ts';
import { answerHealth, measureCall, traceCall, answerError, logCall } from './calls/outcome.ts';
import { createSealedAddresses } from './forwarding/sealed-address.ts';
import { splitUrl } from './forwarding/target.ts';

/**
 * Forwards calls with channel tokens to the platform. A call reaches only objects of its channel. The gateway adds the
 * credential, never reveals it, and never repeats a call.
 */
export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers the callers that wait for the platform. */
  endCalls(): void;
  /** Of the calls under way. */
  readonly callShares: Shares;
  /** Waits for calls without a caller, at most this long. */
  close(options: { readonly withinMs: number }): Promise<void>;
}

const CALLER_LENGTH = 14;
const FILE_PATH = /^\/(media|uploads)\/([A-Za-z0-9_.-]+)$/;
const PLATFORM_PATH = '/platform/';

export function createGateway(deps: GatewayDeps): Gateway {
  const limits = { ...defaultLimits, ...deps.limits };
  const { bodies = createBodyBudget() } = deps;
  const admission = createAdmission(limits);
  const upstream = createUpstream({ limits, outbound: deps.outbound, meter: deps.meter });
  const sealed = createSealedAddresses(deps);
  const giveAnswer = createSendAnswer({ ...deps, limits, sealed });
  const once = createCallOnce({ ...deps, upstream });
  const ownership = createOwnership({ ...deps, once, limits });
  const forward = createForward({ once, ownership, giveAnswer, limits });
  const passFile = createPassFile({ upstream, sealed, giveAnswer, limits });

  async function route(call: Call): Promise<void> {
    const { path, query } = splitUrl(call.request.url ?? '');
    if (await answerHealth(call, { path, ...deps })) return;
    measureCall(call, deps.meter);
    await traceCall(call, deps.traces, () => routeCall(call, { path, query }));
  }

  async function routeCall(call: Call, { path, query }: ReturnType<typeof splitUrl>): Promise<void> {
    const file = FILE_PATH.exec(path);
    const use = file?.[1] === 'media' ? 'media' : file && 'uploads';
    if (!use && !path.startsWith(PLATFORM_PATH)) throw new RouteNotFound();
    await withChannel(call, { query, isUpload: use === 'uploads' }, (channelCall) =>
      use
        ? passFile(channelCall, use, file?.[2] ?? '')
        : forward(channelCall, { path: path.slice(PLATFORM_PATH.length), query }),
    );
  }

  async function withChannel(
    call: Call,
    { query, isUpload }: { readonly query: string; readonly isUpload: boolean },
    act: (call: ChannelCall) => Promise<void>,
  ): Promise<void> {
    const { token, channel, account } = await authenticate({
      request: call.request,
      query: new URLSearchParams(query),
      channels: deps.channels,
      baseUrl: deps.baseUrl,
      admission,
      clientAddress: clientAddressOf(call.request, deps.trustProxy ?? false),
      ...(isUpload && { scheme: 'uploads' }),
    });
    call.logFields['channelId'] = channel.channelPublicId;
    call.tally.product = channel.type;
    const leave = admission.enter(channel);
    call.reservation.charge({ credentialId: channel.channelPublicId, organizationId: channel.organizationId });
    try {
      await act({ ...call, channel, account, caller: token.slice(0, CALLER_LENGTH) });
    } finally {
      // An unread response still occupies memory, so it keeps its slot.
      if (call.isGone() || call.response.writableFinished) leave();
      else onceClosed(call.response, leave);
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const call = beginCall(request, response, { ...limits, bodies });
    logCall(call, deps.log);
    route(call)
      .catch(async (thrown: unknown) => {
        await awaitSmallRest(request);
        answerError(call, { thrown, ...deps });
      })
      .finally(call.end);
  }

  return { handle, endCalls: upstream.endCalls, callShares: admission.underWay, close: upstream.close };
}
