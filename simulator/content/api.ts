import { incomingOf, objectAddress, type Address, type Incoming } from '../scripted-api/address.ts';
import { createScriptedApi, type FoundCall, type ScriptedApi } from '../scripted-api/api.ts';
import { authorize, tokenOf } from '../scripted-api/authorize.ts';
import type { Answering } from '../scripted-api/control.ts';
import { missingObject, presentRefusal, reasonOf, type RefusalReason } from '../scripted-api/refusals.ts';
import { setUsageHeaders, type UsageReport } from '../scripted-api/usage.ts';
import { sendJson } from '../servers/http-server.ts';
import { contentCall, UPLOAD_EDGE } from './calls.ts';
import type { ContentObject, ContentProduct } from './objects/store.ts';
import type { ContentState } from './reads.ts';
import { contentRefusal } from './refusals.ts';
import type { ContentTypes } from './script.ts';

interface ContentApiOptions {
  readonly appSecret: string;
  readonly state: ContentState;
  readonly meOf: (token: string) => string;
  readonly adopt: () => void;
}

const UPLOAD = /^\/video-upload\/v\d+\.\d+\/(\d{1,40})$/;
const limitTypes: Readonly<Record<ContentProduct, string>> = { photoapp: 'instagram', pageapp: 'pages' };

export function createContentApi(options: ContentApiOptions): ScriptedApi {
  const { appSecret, state } = options;
  const { script, nowMs } = state;

  return createScriptedApi<ContentTypes>({
    appSecret,
    script,
    nowMs,
    bodies: { maxBytes: 64 * 1024, hasJsonForms: false },
    find: (incoming) => find(options, incoming),
    subjectOf({ target, parameters }) {
      const { object, account, id, edge } = target;
      const metrics = String(parameters.values['metric'] ?? '').split(',');
      return { product: object.product, account, id, edge, metric: (name) => metrics.includes(String(name)) };
    },
    refusalOf: (fault, { product }) => contentRefusal(fault, product),
    usageOf: ({ target }, reason) => usageOf(target.object.product, { businessId: target.account, reason }),
  });
}

/** Must come last, because it refuses every unknown object. */
export function answerUnknownObjects({ appSecret, state: { script } }: ContentApiOptions): Answering {
  return (request, response) => {
    const incoming = incomingOf(request);
    const address = addressOf(incoming);
    if (!address) return Promise.resolve(false);
    const { deadTokens, usage } = script.settings();
    const query = Object.fromEntries(incoming.url.searchParams);
    const credentials = { token: tokenOf(incoming, query), proof: query['appsecret_proof'] };
    let reason = missingObject(address.id).reason;
    try {
      authorize(credentials, { appSecret, deadTokens });
    } catch (error) {
      reason = reasonOf(error);
    }
    request.resume();
    setUsageHeaders(response, usage, usageOf('pageapp', { businessId: '0' }));
    const { status, body } = presentRefusal(reason);
    sendJson(response, status, body);
    return Promise.resolve(true);
  };
}

function find({ state, meOf, adopt }: ContentApiOptions, incoming: Incoming): FoundCall<ContentTypes> | undefined {
  const address = addressOf(incoming);
  if (!address) return undefined;
  const query = Object.fromEntries(incoming.url.searchParams);
  const id = address.id === 'me' ? meOf(tokenOf(incoming, query) ?? '') : address.id;
  const object = findObject(state, { id, adopt });
  if (!object) return undefined;
  const target = { ...address, account: object.accountId, object };
  const definition = contentCall(state, target);
  return definition && { target, definition };
}

function findObject(
  { store }: ContentState,
  { id, adopt }: { id: string; adopt: () => void },
): ContentObject | undefined {
  const object = store.find(id);
  if (object && object.kind !== 'account') return object;
  adopt();
  return store.find(id);
}

function addressOf(incoming: Incoming): Address | undefined {
  const [, uploadId] = UPLOAD.exec(incoming.url.pathname) ?? [];
  if (uploadId === undefined) return objectAddress(incoming);
  return incoming.method === 'POST' ? { ...incoming, id: uploadId, edge: UPLOAD_EDGE } : undefined;
}

function usageOf(
  product: ContentProduct,
  { businessId, reason }: { businessId: string; reason?: RefusalReason | undefined },
): UsageReport {
  const regainAccessMinutes = reason?.regainAccessMinutes;
  const moreHeaders = product === 'pageapp' ? ['x-page-usage'] : [];
  const isThrottled = regainAccessMinutes !== undefined;
  return { type: limitTypes[product], businessId, isThrottled, regainAccessMinutes, moreHeaders };
}
