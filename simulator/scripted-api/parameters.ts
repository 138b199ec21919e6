import type { IncomingMessage } from 'node:http';
import { readBody } from '../servers/http-server.ts';
import { MediaRefusal, refusals } from './refusals.ts';

/** Parameters by their wire name; JSON values that are no strings stand as their JSON text. */
export type MediaParameters = ReadonlyMap<string, string>;

/** A caption of 2,200 characters and a dozen long addresses fit many times over. */
const MAX_BODY_BYTES = 64 * 1024;

/** Parameters of a call: the query's, and for POST those of the JSON or form body, which win. */
export async function readParameters(request: IncomingMessage, url: URL): Promise<MediaParameters> {
  const query = [...url.searchParams];
  if (request.method !== 'POST') return new Map(query);
  const body = (await readBody(request, MAX_BODY_BYTES)).toString('utf8');
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
  return new Map([...query, ...(isJson ? jsonEntries(body) : new URLSearchParams(body))]);
}

function jsonEntries(body: string): [string, string][] {
  const value = parsed(body.trim() === '' ? '{}' : body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MediaRefusal(refusals.badBody);
  return Object.entries(value).flatMap(([name, item]): [string, string][] => {
    if (item === null) return [];
    return [[name, typeof item === 'string' ? item : JSON.stringify(item)]];
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new MediaRefusal(refusals.badBody);
  }
}
