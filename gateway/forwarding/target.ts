import { apiVersions } from '../../platform/client/api-versions.ts';
import { isObjectId } from '../../platform/ownership/ids.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import { invalid, scopeDenied } from '../calls/refusal.ts';

/** What a call is about, below the version. */
export interface Target {
  readonly version: string;
  readonly objectId: string;
  readonly edge: string | undefined;
  /** As it is sent on: canonical, so that the platform reads no other path than was judged here. */
  readonly path: string;
}

const MAX_SEGMENTS = 2;
const MAX_QUERY_LENGTH = 16 * 1024;
const VERSION = /^v\d{1,3}\.\d{1,3}$/i;

/** Splits the URL of a request into path and query as they were sent. Refuses a long query before anything reads it. */
export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf('?');
  if (mark < 0) return { path: url, query: '' };
  const query = url.slice(mark + 1);
  if (query.length > MAX_QUERY_LENGTH) throw invalid(`The query is longer than ${MAX_QUERY_LENGTH} characters.`);
  return { path: url.slice(0, mark), query };
}

/** Reads `{version}/{object}[/{edge}]`; whatever is longer, shorter or spelled to mislead is refused. */
export function readTarget(rest: string, type: ChannelType): Target {
  const [version = '', ...parts] = rest.split('/');
  if (!VERSION.test(version))
    throw scopeDenied('The path begins with a version and the id of an object of the channel.');
  const segments = parts.map(decodedSegment);
  const expected = apiVersions[type];
  if (version !== expected) throw invalid(`A ${type} channel is called at version ${expected}, not ${version}.`);
  const [objectId, edge] = segments;
  if (objectId === undefined || segments.length > MAX_SEGMENTS) throw scopeDenied();
  return { version, objectId, edge, path: segments.map(encodeURIComponent).join('/') };
}

function decodedSegment(segment: string): string {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    throw invalid('The path is not well-formed.');
  }
  if (!isObjectId(text)) throw invalid('The path has an empty segment, or characters that no id and no edge has.');
  return text;
}
