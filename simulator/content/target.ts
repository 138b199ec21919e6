import type { ContentStep } from './control.ts';
import { writingCallOf, type WritingCall } from './writing-call.ts';
import { nodeOf } from './objects/nodes.ts';
import type { ContentObject } from './objects/store.ts';
import type { ContentView } from './objects/photoapp-nodes.ts';

/** Where a call goes: which object, which of its edges, and what is done there. */
export interface ContentTarget {
  /** As it stands in the address. */
  readonly id: string;
  readonly object: ContentObject;
  /** Empty for the object itself. */
  readonly edge: string;
  readonly does: { readonly reading: 'read' | 'list' | 'insights' } | { readonly writing: WritingCall };
}

interface ContentAddress {
  readonly method: string;
  readonly id: string;
  readonly edge: string;
}

const ADDRESS = /^\/v\d+\.\d+\/([^/]{1,400})(?:\/([a-z_]{1,40}))?$/;
const UPLOAD = /^\/video-upload\/v\d+\.\d+\/(\d{1,40})$/;

/** Undefined for an address that no object could have. */
export function addressOf({ method = 'GET', path }: { method: string | undefined; path: string }) {
  const [, uploadId] = UPLOAD.exec(path) ?? [];
  if (uploadId !== undefined) return method === 'POST' ? { method: 'UPLOAD', id: uploadId, edge: '' } : undefined;
  const [, id, edge = ''] = ADDRESS.exec(path) ?? [];
  if (id === undefined) return undefined;
  try {
    return { method, id: decodeURIComponent(id), edge };
  } catch {
    return undefined;
  }
}

/** Undefined where the object is not known or has no such edge. */
export function contentTarget(
  view: ContentView,
  { method, id, edge }: ContentAddress,
  meId: string,
): ContentTarget | undefined {
  const object = view.store.find(id === 'me' ? meId : id);
  if (!object) return undefined;
  const reading = method === 'GET' ? readingOf(view, object, edge) : undefined;
  if (reading) return { id, object, edge, does: { reading } };
  const writing = writingCallOf(object, { method, edge });
  return writing && { id, object, edge, does: { writing } };
}

export function stepOf({ does }: ContentTarget, parameters: ReadonlyMap<string, string>): ContentStep {
  return 'reading' in does ? does.reading : does.writing.stepOf(parameters);
}

function readingOf(view: ContentView, object: ContentObject, edge: string) {
  if (edge === '') return 'read';
  if (edge === 'insights') return object.kind === 'account' || object.kind === 'post' ? 'insights' : undefined;
  return Object.hasOwn(nodeOf(view, object).edges ?? {}, edge) ? 'list' : undefined;
}
