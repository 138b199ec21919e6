import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestRefused, sendJson } from '../servers/http-server.ts';
import type { MediaCalls } from './calls.ts';
import { createContainer, publishContainer, type MediaState } from './effects.ts';
import { settle, type MediaAnswer, type SettledCall } from './faults.ts';
import { readParameters, type MediaParameters } from '../scripted-api/parameters.ts';
import { listMedia, readContainer, readMedia, readQuota } from './reads.ts';
import { errorBody, MediaRefusal, refusals, type RefusalReason } from '../scripted-api/refusals.ts';
import { isChildCall, subjectOf, targetOf, type MediaTarget } from './subject.ts';

interface MediaApiOptions {
  readonly appSecret: string;
  readonly state: MediaState;
  readonly calls: MediaCalls;
  readonly now: () => number;
}

interface MediaApi {
  /** False for an address that is not the media side's. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Lets the next carousel item of every account be its first. */
  forgetChildren(): void;
}

interface ApiCall {
  readonly target: MediaTarget;
  readonly parameters: MediaParameters;
  readonly token: string;
  readonly childIndex: number | null;
  /** Of the address, without a query. */
  readonly url: string;
}

/** The versioned API of the media side: who calls, what goes wrong, what is done, what is answered. */
export function createMediaApi(options: MediaApiOptions): MediaApi {
  const { state, calls, now } = options;
  /** Carousel items asked for since the last other container, by account. */
  const childCounts = new Map<string, number>();

  function nextChildIndex({ at, account }: MediaTarget, parameters: MediaParameters): number | null {
    if (at !== 'create' || account === null) return null;
    const index = childCounts.get(account) ?? 0;
    if (isChildCall(parameters)) childCounts.set(account, index + 1);
    else childCounts.delete(account);
    return isChildCall(parameters) ? index : null;
  }

  async function settledCall(target: MediaTarget, request: IncomingMessage, url: URL): Promise<SettledCall> {
    try {
      const parameters = await readParameters(request, url);
      const token = authorized(options, { parameters, authorization: request.headers.authorization });
      const childIndex = nextChildIndex(target, parameters);
      const fault = state.script.takeFault(target.at, subjectOf(state.store, target, { parameters, childIndex }));
      const address = `http://${request.headers.host ?? 'platform'}${url.pathname}`;
      const call = { target, parameters, token, childIndex, url: address };
      return await settle(fault, () => performed(options, call));
    } catch (error) {
      return { ...refused(error), isLost: false };
    }
  }

  return {
    forgetChildren: () => childCounts.clear(),
    async answer(request, response) {
      const url = new URL(request.url ?? '/', 'http://platform');
      const fields = url.searchParams.get('fields');
      const target = targetOf(state.store, { method: request.method, path: url.pathname, fields });
      if (!target) return false;
      const number = calls.begin({ at: target.at, account: target.account, atMs: now() });
      const { status, body, madeId, isLost } = await settledCall(target, request, url);
      const isGone = isLost || response.destroyed;
      const outcome = isGone
        ? ({ outcome: 'lost', status: null } as const)
        : ({ outcome: 'answered', status } as const);
      calls.end(number, { ...outcome, madeId });
      if (isGone) {
        request.socket.destroy();
        return true;
      }
      setUsageHeaders(response, { state, businessId: target.account ?? target.id });
      sendJson(response, status, body);
      return true;
    },
  };
}

/** The token of the call; any is good that is not scripted to be dead. */
function authorized(
  { appSecret, state }: MediaApiOptions,
  { parameters, authorization = '' }: { parameters: MediaParameters; authorization: string | undefined },
): string {
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? parameters.get('access_token') ?? '';
  if (token === '') throw new MediaRefusal(refusals.noToken);
  if (state.script.settings().deadTokens.includes(token)) throw new MediaRefusal(refusals.deadToken);
  const proof = parameters.get('appsecret_proof');
  const isProven = proof === undefined || proof === createHmac('sha256', appSecret).update(token).digest('hex');
  if (!isProven) throw new MediaRefusal(refusals.wrongProof);
  return token;
}

function performed({ state, now }: MediaApiOptions, call: ApiCall): MediaAnswer {
  try {
    return { status: 200, ...done(state, call, now()) };
  } catch (error) {
    return refused(error);
  }
}

function done(state: MediaState, call: ApiCall, nowMs: number): Pick<MediaAnswer, 'body' | 'madeId'> {
  const { target, parameters, childIndex } = call;
  const effect = { account: target.id, parameters, childIndex, nowMs };
  switch (target.at) {
    case 'create': {
      const { id } = createContainer(state, effect);
      return { body: { id }, madeId: id };
    }
    case 'publish': {
      const id = publishContainer(state, effect);
      return { body: { id }, madeId: id };
    }
    case 'status':
      return { body: readContainer(state, { ...call, nowMs }), madeId: null };
    case 'permalink':
      return { body: readMedia(state, { ...call, nowMs }), madeId: null };
    case 'list':
      return { body: listMedia(state, { ...call, nowMs }), madeId: null };
    case 'quota':
      return { body: readQuota(state, { ...call, nowMs }), madeId: null };
  }
}

function refused(error: unknown): MediaAnswer {
  const reason = reasonOf(error);
  return { status: reason.status ?? 400, body: errorBody(reason), madeId: null };
}

function reasonOf(error: unknown): RefusalReason {
  if (error instanceof MediaRefusal) return error.reason;
  if (error instanceof RequestRefused) return { status: error.status, code: 1, message: error.message };
  throw error;
}

/** On every answer, as the platform sends them: the app's share of its limit, and the account's. */
function setUsageHeaders(
  response: ServerResponse,
  { state, businessId }: { state: MediaState; businessId: string },
): void {
  const { callCount, totalTime, totalCpuTime, regainAccessMinutes } = state.script.settings().usage;
  const usage = { call_count: callCount, total_cputime: totalCpuTime, total_time: totalTime };
  const limit = { type: 'instagram', ...usage, estimated_time_to_regain_access: regainAccessMinutes };
  response.setHeader('x-app-usage', JSON.stringify(usage));
  response.setHeader('x-business-use-case-usage', JSON.stringify({ [businessId]: [limit] }));
}
