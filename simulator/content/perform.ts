import type { Effect } from './effect.ts';
import { nodeOf } from './objects/nodes.ts';
import { presentList, presentNode } from './objects/present.ts';
import type { ContentScript } from './script.ts';
import type { ContentObject, ContentStore } from './objects/store.ts';
import type { ContentTarget } from './target.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import { pageInsights, postInsights } from './pageapp-insights.ts';
import { photoAccountInsights, photoMediaInsights } from './photoapp-insights.ts';
import type { InsightsCall } from './insights.ts';
import type { WebhookItem } from '../webhooks/item.ts';

export interface ContentState {
  readonly store: ContentStore;
  readonly script: ContentScript;
  /** With the offset of the script. */
  readonly nowMs: () => number;
  readonly report: (item: WebhookItem) => void;
}

interface PerformedCall {
  readonly target: ContentTarget;
  readonly parameters: ReadonlyMap<string, string>;
  readonly token: string;
  readonly origin: string;
  readonly base: string;
  readonly upload: { readonly fileUrl: string | undefined; readonly byteCount: number };
}

/** Does what the call is for, once it may. */
export function performContent(state: ContentState, call: PerformedCall): Effect {
  const { store, script, report } = state;
  const { target, parameters, token, base } = call;
  const { does, object, id, edge } = target;
  const view = { store, nowMs: state.nowMs(), token };
  const scripted = { view, overrides: script.settings().insights };
  if ('writing' in does) {
    const { origin, upload } = call;
    return does.writing.perform({ view, script, id, object, parameters, origin, upload, report });
  }
  const node = nodeOf(view, object);
  const read = { base, token, parameters };
  switch (does.reading) {
    case 'read':
      return { body: presentNode(node, read), madeId: null };
    case 'list':
      return { body: presentList(node, edge, read), madeId: null };
    case 'insights':
      return { body: insightsOf(object, { ...read, ...scripted }), madeId: null };
  }
}

function insightsOf(object: ContentObject, call: InsightsCall) {
  const isPhoto = object.product === 'photoapp';
  if (object.kind === 'account') return isPhoto ? photoAccountInsights(call, object) : pageInsights(call, object);
  if (object.kind === 'post') return isPhoto ? photoMediaInsights(call, object) : postInsights(call, object);
  throw invalidParameter('There are no insights of this object.');
}
