import type { Readable } from 'node:stream';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';
import { methodHeaders, permittedQuery } from '../../platform/ownership/parameters.ts';
import { forwardedRequestHeaders } from '../../platform/forwarding/gateway-headers.ts';
import { type CallMethod, type EdgeRule, subjectRules, type SubjectKind } from '../../platform/ownership/edges.ts';
import { pathPattern } from '../../contract/traces/path-pattern.ts';
import { scopesOfCall } from '../../platform/ownership/call-scopes.ts';
import { upstreamChatappWord } from '../../platform/client/chatapp-word.ts';
import { fileQuery } from '../../platform/ownership/owner-lookups.ts';
import { idsOfEdge } from '../../platform/forwarding/rewrite-answer.ts';
import { readFormParameters } from '../../platform/ownership/references.ts';
import type { Answering, SendAnswer } from './answer.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { CallOnce } from '../upstream/upstream.ts';
import type { GatewayLimits } from '../calls/deps.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { InvalidRequest, MethodNotAllowed } from '../../process/http-errors.ts';
import { notForwarded } from '../calls/errors.ts';
import { type Named, namedBy, readBody } from './request-body.ts';
import { requireTokenScopes } from '../access/token-scopes.ts';
import { readTarget, type Target } from './target.ts';

export interface ForwardNeeds {
  readonly once: CallOnce;
  readonly ownership: Ownership;
  readonly giveAnswer: SendAnswer;
  readonly limits: GatewayLimits;
}

export type Forward = (call: ChannelCall, rest: { readonly path: string; readonly query: string }) => Promise<void>;

/** Each id can cost an owner lookup. */
const MAX_IDS = 50;
/** Keeps the header short. */
const MAX_DROPPED_SHOWN = 50;

export function createForward(needs: ForwardNeeds): Forward {
  const { once, ownership, giveAnswer, limits } = needs;
  async function requireAll(call: ChannelCall, ids: readonly string[]): Promise<void> {
    const distinct = new Set(ids);
    if (distinct.size > MAX_IDS) throw new InvalidRequest(`A call can name at most ${MAX_IDS} objects.`);
    for (const id of distinct) await ownership.require(call, id);
  }

  return async (call, { path: rest, query: given }) => {
    const target = readTarget(rest, call.channel.type);
    call.logFields['path'] = pathPattern(target.path);
    const method = methodOf(call);
    const query = permitted(call, checkedQuery(given));
    const inQuery = namedBy(readFormParameters(query));
    const kind = await ownership.require(call, target.objectId);
    const rule = ruleFor(kind, target, method);
    const requireScopes = ({ fields }: Named): void =>
      requireTokenScopes(call.channel, scopesOfCall({ kind, edge: target.edge, method, fields }));
    requireScopes(inQuery);
    const judged = (ids: readonly string[]): readonly string[] => (rule?.namesOthers ? [] : ids);
    await requireAll(call, judged(inQuery.ids));
    const { body, isNeutral, ...inBody } = await readBody(call, {
      ...limits,
      takesFile: rule?.takesFile === true,
      chatappWord: rule?.namesProduct ? upstreamChatappWord : undefined,
    });
    requireScopes(inBody);
    await requireAll(call, judged(inBody.ids));
    const answer = await once(call, {
      method,
      path: target.path,
      query: kind === 'file' ? fileQuery(query, call.channel) : query,
      headers: headersOf(call, body),
      body,
    });
    const word = isNeutral ? { chatappWord: upstreamChatappWord } : {};
    await giveAnswer(call, answer, { ...answeringOf(call, { kind, target, rule }), ...word });
  };

  function answeringOf(call: ChannelCall, { kind, target, rule }: Forwarded): Answering {
    const child = rule?.isMixed && call.request.method === 'GET' ? undefined : rule?.child;
    const addresses = target.edge === undefined ? subjectRules[kind].addresses : rule?.addresses;
    const accountId = rule?.makesContainers && call.request.method === 'POST' ? target.objectId : undefined;
    const learn = async (json: JsonTape): Promise<void> => {
      const ids = idsOfEdge(json);
      if (child) ownership.learn(call, ids, child);
      if (accountId !== undefined) await ownership.recordContainers(call, { accountId, ids });
    };
    return {
      ...(child && { learn }),
      ...(addresses && { addresses }),
    };
  }
}

/** Removes fields that a token may not request, and names them in the response. */
function permitted({ response }: ChannelCall, given: string): string {
  const { query, dropped } = permittedQuery(given);
  if (dropped.length > 0)
    response.setHeader('x-service-dropped-fields', dropped.slice(0, MAX_DROPPED_SHOWN).join(', '));
  return query;
}

interface Forwarded {
  readonly kind: SubjectKind;
  readonly target: Target;
  readonly rule: EdgeRule | undefined;
}

function methodOf({ request }: ChannelCall): CallMethod {
  const overriding = methodHeaders.find((name) => request.headers[name] !== undefined);
  if (overriding !== undefined)
    throw new InvalidRequest(`The header ${overriding} is not accepted. Use the method of the request.`);
  const { method } = request;
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method;
  throw new MethodNotAllowed(['GET', 'POST', 'DELETE']);
}

function ruleFor(kind: SubjectKind, { edge }: Target, method: CallMethod): EdgeRule | undefined {
  const { methods, edges, name } = subjectRules[kind];
  if (edge === undefined) {
    if (!methods.includes(method)) throw notForwarded({ method, of: name, allowed: methods });
    return undefined;
  }
  const rule = Object.hasOwn(edges, edge) ? edges[edge] : undefined;
  if (!rule?.methods.includes(method)) throw notForwarded({ method, edge, of: name, allowed: rule?.methods ?? [] });
  return rule;
}

function checkedQuery(query: string): string {
  // Parsers disagree on where a name or the query ends at these characters.
  if (/[^\x21-\x7e]|#|%0[0-8a-f]|%1[0-9a-f]|%7f|;/i.test(query)) {
    throw new InvalidRequest('The query contains invalid characters. Percent-encode them.');
  }
  return query;
}

/** A body that was read whole may have been rewritten. */
function headersOf({ request }: ChannelCall, body: Buffer | Readable | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of forwardedRequestHeaders) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const length = Buffer.isBuffer(body) ? String(body.length) : request.headers['content-length'];
  if (length !== undefined && Number(length) > 0) headers['content-length'] = length;
  return headers;
}
