import type { ApiCall, CallDefinition } from '../scripted-api/api.ts';
import { textParameters } from '../scripted-api/parameters.ts';
import type { Effect } from '../scripted-api/settle.ts';
import type { WebhookItem } from '../webhooks/item.ts';
import { insightsOf } from './insights.ts';
import { nodeOf } from './objects/nodes.ts';
import type { ContentView } from './objects/photoapp-nodes.ts';
import { presentList, presentNode, type ReadCall } from './objects/present.ts';
import type { ContentStore } from './objects/store.ts';
import type { ContentScript, ContentTarget, ContentTypes } from './script.ts';

export interface ContentState {
  readonly store: ContentStore;
  readonly script: ContentScript;
  readonly nowMs: () => number;
  readonly report: (item: WebhookItem) => void;
}

export function viewOf({ store, nowMs }: ContentState, token?: string): ContentView {
  return { store, nowMs: nowMs(), ...(token !== undefined && { token }) };
}

export function readingCall(
  state: ContentState,
  { method, object, edge }: ContentTarget,
): CallDefinition<ContentTypes> | undefined {
  if (method !== 'GET') return undefined;
  const nodeFor = ({ token }: ApiCall<ContentTypes>) => nodeOf(viewOf(state, token), object);
  if (edge === '') return { at: 'read', perform: (call) => ({ body: presentNode(nodeFor(call), readOf(call)) }) };
  if (edge === (object.kind === 'upload' ? 'video_insights' : 'insights'))
    return { at: 'insights', perform: (call) => readInsights(state, call) };
  const { edges = {} } = nodeOf(viewOf(state), object);
  if (!Object.hasOwn(edges, edge)) return undefined;
  return { at: 'list', perform: (call) => ({ body: presentList(nodeFor(call), edge, readOf(call)) }) };
}

function readOf({ target, token, parameters, origin }: ApiCall<ContentTypes>): ReadCall {
  const version = /^\/v\d+\.\d+/.exec(target.url.pathname)?.[0] ?? '/v25.0';
  return { base: `${origin}${version}`, token, parameters: textParameters(parameters) };
}

function readInsights({ script, nowMs }: ContentState, call: ApiCall<ContentTypes>): Effect {
  const overrides = script.settings().insights;
  return { body: insightsOf(call.target.object, { ...readOf(call), nowMs: nowMs(), overrides }) };
}
