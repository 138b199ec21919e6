import type { ServerResponse } from 'node:http';
import { DelayedAnswers } from '../servers/delayed-answers.ts';
import { sendJson } from '../servers/http-server.ts';
import { incomingOf, originOf, type Address, type Incoming } from './address.ts';
import { authorize, tokenOf } from './authorize.ts';
import { createCallLog, type CallLog } from './call-log.ts';
import type { Answering } from './control.ts';
import type { ScriptedFault } from './fault.ts';
import { noParameters, readParameters, type BodyRules, type CallParameters } from './parameters.ts';
import { presentRefusal, reasonOf, type PresentedRefusal, type RefusalReason } from './refusals.ts';
import type { CommonSettings, Script, Subject } from './script.ts';
import { refusedBy, settle, type Effect, type Ending } from './settle.ts';
import { setUsageHeaders, type UsageReport } from './usage.ts';

/**
 * The engine of the simulated APIs. For each request it finds the call, reads the parameters, checks the token, takes
 * the matching fault, applies the effect as the fault demands, and answers with usage headers.
 */
export interface ApiDefinition<T extends ApiTypes> {
  readonly appSecret: string;
  readonly script: Script<T['fault'], CommonSettings<T['fault']>>;
  readonly nowMs: () => number;
  readonly bodies: BodyRules;
  readonly find: (incoming: Incoming) => FoundCall<T> | undefined;
  /** Called once per call. */
  readonly subjectOf: (call: ReadCall<T>) => T['subject'];
  readonly refusalOf: (fault: T['fault'], subject: T['subject']) => RefusalReason | undefined;
  readonly presentRefusal?: (reason: RefusalReason, call: ReadCall<T>) => PresentedRefusal;
  readonly usageOf: (call: ReadCall<T>, reason: RefusalReason | undefined) => UsageReport;
}

export interface ApiTypes {
  readonly target: Target;
  readonly subject: Subject;
  readonly fault: ScriptedFault;
}

export interface Target extends Address {
  readonly account: string | null;
}

export type Operation<T extends ApiTypes> = NonNullable<T['fault']['at']>;

export interface CallDefinition<T extends ApiTypes> {
  /** A function if operations share an address. */
  readonly at: Operation<T> | ((parameters: CallParameters) => Operation<T>);
  readonly isFor?: (target: T['target']) => boolean;
  readonly isRaw?: boolean;
  readonly perform: (call: ApiCall<T>) => Effect;
}

/** Keys: method and edge, such as `POST messages`; `GET ` reads the object itself. */
export type CallTable<T extends ApiTypes> = Readonly<Record<string, CallDefinition<T> | readonly CallDefinition<T>[]>>;

export interface FoundCall<T extends ApiTypes> {
  readonly target: T['target'];
  readonly definition: CallDefinition<T>;
}

export interface ReadCall<T extends ApiTypes> {
  readonly at: Operation<T>;
  readonly target: T['target'];
  readonly parameters: CallParameters;
}

export interface ApiCall<T extends ApiTypes> extends ReadCall<T> {
  readonly subject: T['subject'];
  readonly fault: T['fault'] | undefined;
  readonly token: string;
  readonly origin: string;
}

export interface ScriptedApi {
  readonly answer: Answering;
  readonly log: CallLog;
  readonly release: () => void;
}

export function findCall<T extends ApiTypes>(table: CallTable<T>, target: T['target']): FoundCall<T> | undefined {
  const key = `${target.method} ${target.edge}`;
  const entry = Object.hasOwn(table, key) ? table[key] : undefined;
  const definition = [entry ?? []].flat().find(({ isFor }) => isFor?.(target) ?? true);
  return definition && { target, definition };
}

export function createScriptedApi<T extends ApiTypes>(api: ApiDefinition<T>): ScriptedApi {
  const log = createCallLog();
  const delays = new DelayedAnswers();
  const present = api.presentRefusal ?? presentRefusal;

  async function answer(...[request, response]: Parameters<Answering>): Promise<boolean> {
    const found = api.find(incomingOf(request));
    if (!found) return false;
    const { call, problem } = await readCall(api, found);
    const number = begin(call);
    const ending = problem ? refused(problem) : await endingOf(found.definition, call);
    finish(response, { number, call, ending });
    return true;
  }

  function begin({ at, target, parameters }: ReadCall<T>): number {
    const { method, url, account } = target;
    const token = tokenOf(target, parameters.values) ?? null;
    return log.begin({ at, method, path: url.pathname, account, token, atMs: api.nowMs() });
  }

  async function endingOf(definition: CallDefinition<T>, call: ReadCall<T>): Promise<Ending> {
    const { values } = call.parameters;
    try {
      const credentials = { token: tokenOf(call.target, values), proof: values['appsecret_proof'] };
      const { deadTokens } = api.script.settings();
      const token = authorize(credentials, { appSecret: api.appSecret, deadTokens });
      const subject = api.subjectOf(call);
      const fault = api.script.takeFault(call.at, subject);
      const authorized: ApiCall<T> = { ...call, subject, fault, token, origin: originOf(call.target) };
      return await settle({
        fault,
        delays,
        perform: () => definition.perform(authorized),
        refusalOf: (each) => api.refusalOf(each, subject),
      });
    } catch (error) {
      return refusedBy(error);
    }
  }

  /** If the caller disconnects, the call is logged as lost but takes effect. */
  function finish(
    response: ServerResponse,
    { number, call, ending }: { number: number; call: ReadCall<T>; ending: Ending },
  ): void {
    const { madeId } = ending;
    if (ending.kind === 'lost' || response.destroyed) {
      log.end(number, { kind: 'lost', status: null, madeId });
      call.target.request.socket.destroy();
      return;
    }
    const reason = ending.kind === 'refused' ? ending.reason : undefined;
    const answered = ending.kind === 'refused' ? present(ending.reason, call) : ending.effect;
    const { status = 200 } = answered;
    log.end(number, { kind: ending.kind, status, madeId });
    setUsageHeaders(response, api.script.settings().usage, api.usageOf(call, reason));
    send(response, { ...answered, status });
  }

  return { answer, log, release: () => delays.release() };
}

/** A call with an unreadable body has no parameters and is refused. */
async function readCall<T extends ApiTypes>(
  { bodies }: ApiDefinition<T>,
  { target, definition }: FoundCall<T>,
): Promise<{ call: ReadCall<T>; problem?: RefusalReason }> {
  const { at, isRaw = false } = definition;
  const callWith = (parameters: CallParameters): ReadCall<T> => {
    return { at: typeof at === 'function' ? at(parameters) : at, target, parameters };
  };
  try {
    return { call: callWith(await readParameters(target, { ...bodies, isRaw })) };
  } catch (error) {
    return { call: callWith(noParameters), problem: reasonOf(error) };
  }
}

function refused(reason: RefusalReason): Ending {
  return { kind: 'refused', reason, madeId: null };
}

function send(response: ServerResponse, { status, body, file }: Effect & { readonly status: number }): void {
  if (!file) return sendJson(response, status, body);
  response.writeHead(status, { 'content-type': file.mimeType, 'content-length': file.content.length });
  response.end(file.content);
}
