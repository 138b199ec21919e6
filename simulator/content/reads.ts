import type { ApiCall, CallDefinition } from '../scripted-api/api.ts';
import { textParameters } from '../scripted-api/parameters.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import type { WebhookItem } from '../webhooks/item.ts';
import type { InsightsCall } from './insights.ts';
import { nodeOf } from './objects/nodes.ts';
import type { GraphNode } from './objects/fields.ts';
import type { ContentView } from './objects/photoapp-nodes.ts';
import { presentList, presentNode, type ReadCall } from './objects/present.ts';
import type { ContentObject, ContentStore } from './objects/store.ts';
import { pageInsights, postInsights, videoInsights } from './pageapp-insights.ts';
import { photoAccountInsights, photoMediaInsights } from './photoapp-insights.ts';
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
  if (edge === 'video_insights' && object.kind === 'upload' && object.type !== 'photo') {
    return { at: 'insights', perform: (call) => readInsights(state, call) };
  }
  if (edge === 'insights') {
    const isMeasured = object.kind === 'account' || object.kind === 'post';
    return isMeasured ? { at: 'insights', perform: (call) => readInsights(state, call) } : undefined;
  }
  const { edges = {}, fields } = nodeOf(viewOf(state), object);
  if (fieldEdges.has(edge) && Object.hasOwn(fields, edge)) {
    return { at: 'list', perform: (call) => ({ body: readField(nodeFor(call), edge, readOf(call)) }) };
  }
  if (!Object.hasOwn(edges, edge)) return undefined;
  return { at: 'list', perform: (call) => ({ body: presentList(nodeFor(call), edge, readOf(call)) }) };
}

const fieldEdges: ReadonlySet<string> = new Set(['attachments', 'picture']);

/** Answers an edge that is also a field. Pictures are described as with `redirect=false`; the platform else redirects. */
function readField(node: GraphNode, name: string, call: ReadCall): unknown {
  const parts = call.parameters.get('fields');
  const parameters = new Map([['fields', parts === undefined ? name : `${name}{${parts}}`]]);
  const value = presentNode(node, { ...call, parameters })[name] ?? { data: [] };
  return typeof value === 'string' ? { data: { is_silhouette: false, url: value } } : value;
}

function readOf({ target, token, parameters, origin }: ApiCall<ContentTypes>): ReadCall {
  const version = /^\/v\d+\.\d+/.exec(target.url.pathname)?.[0] ?? '/v25.0';
  return { base: `${origin}${version}`, token, parameters: textParameters(parameters) };
}

function readInsights(state: ContentState, call: ApiCall<ContentTypes>): Effect {
  const overrides = state.script.settings().insights;
  const { object } = call.target;
  return { body: insightsOf(object, { ...readOf(call), view: viewOf(state, call.token), overrides }) };
}

function insightsOf(object: ContentObject, call: InsightsCall) {
  const isPhoto = object.product === 'photoapp';
  if (object.kind === 'account') return isPhoto ? photoAccountInsights(call, object) : pageInsights(call, object);
  if (object.kind === 'post') return isPhoto ? photoMediaInsights(call, object) : postInsights(call, object);
  if (object.kind === 'upload') return videoInsights(call, object);
  throw invalidParameter('There are no insights of this object.');
}
