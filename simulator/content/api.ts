import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentCalls } from './calls.ts';
import { settleContent, type ContentAnswer, type SettledAnswer } from './faults.ts';
import { performContent, type ContentState } from './perform.ts';
import type { ContentSettings } from './script.ts';
import { addressOf, contentTarget, stepOf, type ContentTarget } from './target.ts';
import { sendContent } from './usage.ts';
import { RequestRefused } from '../servers/http-server.ts';
import { readParameters } from '../scripted-api/parameters.ts';
import { errorBody, MediaRefusal, missingObject, refusals, type RefusalReason } from '../scripted-api/refusals.ts';

/** The versioned API of the content side: who calls, what goes wrong, what is done, what is answered. */
interface ContentApiOptions {
  readonly appSecret: string;
  readonly state: ContentState;
  readonly calls: ContentCalls;
  /** The account or Page that a token is for. */
  readonly meOf: (token: string) => string;
  /** Takes over what was published elsewhere since the last call. */
  readonly adopt: () => void;
}

interface ContentApi {
  /** False for an address that is not the content side's. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Refuses an address of the API that nobody knows, as the platform does; false for any other address. */
  answerUnknown(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

export function createContentApi(options: ContentApiOptions): ContentApi {
  const { state, calls } = options;

  async function settled(target: ContentTarget, request: IncomingMessage, url: URL): Promise<SettledAnswer> {
    const { object, id, edge } = target;
    const account = object.accountId;
    const path = url.pathname;
    let number: number | undefined;
    try {
      const { parameters, byteCount } = await readContent(target, request, url);
      const at = stepOf(target, parameters);
      const token = tokenOf(request, url) ?? parameters.get('access_token') ?? null;
      const method = request.method ?? 'GET';
      number = calls.begin({ at, method, path, account, token, atMs: state.nowMs() });
      authorize(options, { token, parameters });
      const metric = parameters.get('metric') ?? '';
      const { product } = object;
      const fault = state.script.takeFault({ at, product, account, id, edge, metric });
      const upload = { fileUrl: headerOf(request, 'file_url'), byteCount };
      const address = { origin: originOf(request), base: `${originOf(request)}${versionOf(path)}` };
      const call = { target, parameters, token: token ?? '', upload, ...address };
      const answer = await settleContent({ fault, product }, () => refusing(() => performContent(state, call)));
      // A caller who gave up hears nothing of an effect that took place.
      end(number, request.socket.destroyed ? { ...answer, isLost: true } : answer);
      return answer;
    } catch (error) {
      const answer = { ...refused(error), isLost: false };
      if (number !== undefined) end(number, answer);
      return answer;
    }
  }

  function end(number: number, { isLost, status, madeId }: SettledAnswer): void {
    const outcome = isLost ? 'lost' : 'answered';
    calls.end(number, { outcome, status: isLost ? null : status, madeId });
  }

  return {
    async answer(request, response) {
      const url = new URL(request.url ?? '/', 'http://platform');
      const address = addressOf({ method: request.method, path: url.pathname });
      if (!address) return false;
      const view = { store: state.store, nowMs: state.nowMs() };
      const meId = address.id === 'me' ? options.meOf(tokenOf(request, url) ?? '') : '';
      let target = contentTarget(view, address, meId);
      if (!target || target.object.kind === 'account') {
        options.adopt();
        target = contentTarget(view, address, meId);
      }
      if (!target) return false;
      const answer = await settled(target, request, url);
      deliver(request, response, { answer, settings: state.script.settings(), target });
      return true;
    },
    async answerUnknown(request, response) {
      const url = new URL(request.url ?? '/', 'http://platform');
      const address = addressOf({ method: request.method, path: url.pathname });
      if (!address) return false;
      const answer = refusing(() => {
        authorize(options, { token: tokenOf(request, url), parameters: new Map(url.searchParams) });
        throw missingObject(address.id);
      });
      request.resume();
      sendContent(response, { answer, settings: state.script.settings(), accountId: '0', product: 'pageapp' });
      return true;
    },
  };
}

function deliver(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, settings, target }: { answer: SettledAnswer; settings: ContentSettings; target: ContentTarget },
): void {
  if (answer.isLost || response.destroyed) {
    request.socket.destroy();
    return;
  }
  const { accountId, product } = target.object;
  sendContent(response, { answer, settings, accountId, product });
}

/** The parameters, or of an upload only how much it is: its bytes mean nothing here. */
async function readContent({ does }: ContentTarget, request: IncomingMessage, url: URL) {
  const isUpload = 'writing' in does && does.writing.stepOf(new Map()) === 'reel_upload';
  if (!isUpload) return { parameters: await readParameters(request, url), byteCount: 0 };
  let byteCount = 0;
  for await (const chunk of request) byteCount += chunk.length;
  return { parameters: new Map(url.searchParams), byteCount };
}

/** Uploads say `OAuth` where the rest says `Bearer`; both mean the same. */
function tokenOf(request: IncomingMessage, url: URL): string | null {
  const bearer = /^(?:Bearer|OAuth) (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearer ?? url.searchParams.get('access_token');
}

function authorize(
  { appSecret, state }: ContentApiOptions,
  { token, parameters }: { token: string | null; parameters: ReadonlyMap<string, string> },
): void {
  if (token === null || token === '') throw new MediaRefusal(refusals.noToken);
  if (state.script.settings().deadTokens.includes(token)) throw new MediaRefusal(refusals.deadToken);
  const proof = parameters.get('appsecret_proof');
  const isProven = proof === undefined || proof === createHmac('sha256', appSecret).update(token).digest('hex');
  if (!isProven) throw new MediaRefusal(refusals.wrongProof);
}

function refusing(perform: () => Pick<ContentAnswer, 'body' | 'madeId'>): ContentAnswer {
  try {
    return { status: 200, throttledMinutes: null, ...perform() };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): ContentAnswer {
  const reason = reasonOf(error);
  return { status: reason.status ?? 400, body: errorBody(reason), madeId: null, throttledMinutes: null };
}

function reasonOf(error: unknown): RefusalReason {
  if (error instanceof MediaRefusal) return error.reason;
  if (error instanceof RequestRefused) return { status: error.status, code: 1, message: error.message };
  throw error;
}

function originOf({ headers }: IncomingMessage): string {
  return `http://${headers.host ?? 'platform'}`;
}

function versionOf(path: string): string {
  return /^\/v\d+\.\d+/.exec(path)?.[0] ?? '/v25.0';
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
