import { apiVersions } from '../../platform/client/chatapp-word.ts';
import { isObjectId } from '../../platform/ownership/ids.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import { InvalidRequest } from '../../process/http-errors.ts';
import { objectDenied } from '../calls/errors.ts';

export interface Target {
  readonly version: string;
  readonly objectId: string;
  readonly edge: string | undefined;
  /** Canonical, so that the platform reads the path that the gateway checked. */
  readonly path: string;
}

const MAX_SEGMENTS = 2;
const MAX_QUERY_LENGTH = 16 * 1024;

export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf('?');
  if (mark < 0) return { path: url, query: '' };
  const query = url.slice(mark + 1);
  if (query.length > MAX_QUERY_LENGTH)
    throw new InvalidRequest(`The query is longer than ${MAX_QUERY_LENGTH} characters.`);
  return { path: url.slice(0, mark), query };
}

/** Parses `{version}/{object}[/{edge}]`. */
export function readTarget(rest: string, type: ChannelType): Target {
  const [version = '', ...parts] = rest.split('/');
  const expected = apiVersions[type];
  if (version !== expected) {
    throw new InvalidRequest(`The path must begin with the version ${expected}, which a ${type} channel uses.`);
  }
  const segments = parts.map(decodedSegment);
  const [objectId, edge] = segments;
  if (objectId === undefined || segments.length > MAX_SEGMENTS) throw objectDenied();
  return { version, objectId, edge, path: segments.map(encodeURIComponent).join('/') };
}

function decodedSegment(segment: string): string {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    throw new InvalidRequest('The path is not well-formed.');
  }
  if (!isObjectId(text))
    throw new InvalidRequest('The path has an empty segment, or characters that are not valid in ids and edges.');
  return text;
}
