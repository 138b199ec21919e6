import type { IncomingMessage, ServerResponse } from 'node:http';
import { DelayedAnswers } from '../servers/delayed-answers.ts';
import { sendJson } from '../servers/http-server.ts';
import { authorize, tokenOf } from './authorize.ts';
import { type Answering, type ControlRoute, createControl } from './control.ts';
import type { ScriptedFault } from './fault.ts';
import { noParameters, readParameters, type BodyRules, type CallParameters, type Incoming } from './parameters.ts';
import { presentRefusal, reasonOf, type PresentedRefusal, type RefusalReason } from './refusals.ts';
import type { CommonSettings, Script, Subject } from './script.ts';
import { refusedBy, settle, type Effect, type Ending } from './settle.ts';

/**
 * The engine of the simulated APIs. For each request it finds the call, reads the parameters, checks the token, takes
 * the matching fault, applies the effect as the fault demands, and answers.
 */
export interface ApiDefinition<T extends ApiTypes, Change> {
  readonly appSecret: string;
  readonly script: Script<T['fault'], CommonSettings<T['fault']>>;
  readonly control: Omit<ControlRoute<Change>, 'state'> & { readonly contents: () => object };
  readonly bodies: BodyRules;
  readonly find: (incoming: Incoming) => FoundCall<T> | undefined;
  readonly subjectOf: (call: ReadCall<T>) => T['subject'];
  readonly presentRefusal?: (reason: RefusalReason, call: ReadCall<T>) => PresentedRefusal;
}

export interface ApiTypes {
  readonly subject: Subject;
  readonly fault: ScriptedFault;
}

/** `/v25.0/<id>/<edge>` */
export interface Address extends Incoming {
  readonly id: string;
  readonly edge: string;
}

export interface Target extends Address {
  /** Null for an unknown object. */
  readonly account: string | null;
}

export type Operation<T extends ApiTypes> = NonNullable<T['fault']['at']>;

export interface CallDefinition<T extends ApiTypes> {
  /** A function if operations share an address. */
  readonly at: Operation<T> | ((parameters: CallParameters) => Operation<T>);
  readonly isFor?: (target: Target) => boolean;
  readonly isRaw?: boolean;
  readonly perform: (call: ApiCall<T>) => Effect;
}

/** Keys: method and edge, such as `POST messages`; `GET ` reads the object itself. */
export type CallTable<T extends ApiTypes> = Readonly<Record<string, CallDefinition<T> | readonly CallDefinition<T>[]>>;

export interface FoundCall<T extends ApiTypes> {
  readonly target: Target;
  readonly definition: CallDefinition<T>;
}

export interface ReadCall<T extends ApiTypes> {
  readonly at: Operation<T>;
  readonly target: Target;
  readonly parameters: CallParameters;
}

export interface ApiCall<T extends ApiTypes> extends ReadCall<T> {
  readonly subject: T['subject'];
  readonly token: string;
  readonly origin: string;
}

export interface LoggedCall {
  readonly at: string;
  readonly account: string | null;
  /** `lost`: dropped by a fault or by the caller. */
  readonly outcome: 'pending' | 'answered' | 'lost';
  /** Set even if the response was lost. */
  readonly madeId: string | null;
}

/** What tests do with a simulated API. */
export interface ScriptedApi<Change> {
  readonly control: (change: Change) => void;
  /** Forgets the script, the calls and what the calls have made. */
  readonly reset: () => void;
  /** Ends all current delays. */
  readonly release: () => void;
  /** The latest calls, oldest first. */
  readonly calls: () => LoggedCall[];
}

const MAX_LISTED = 10_000;
const OBJECT = /^\/v\d+\.\d+\/([^/]{1,400})(?:\/([a-z_]{1,40}))?$/;

export function incomingOf(request: IncomingMessage): Incoming {
  return { request, url: new URL(request.url ?? '/', 'http://platform'), method: request.method ?? 'GET' };
}

export function objectAddress(incoming: Incoming): Address | undefined {
  const [, id, edge = ''] = OBJECT.exec(incoming.url.pathname) ?? [];
  if (id === undefined) return undefined;
  try {
    return { ...incoming, id: decodeURIComponent(id), edge };
  } catch {
    return undefined;
  }
}

export function findCall<T extends ApiTypes>(table: CallTable<T>, target: Target): FoundCall<T> | undefined {
  const key = `${target.method} ${target.edge}`;
  const entry = Object.hasOwn(table, key) ? table[key] : undefined;
  const definition = [entry ?? []].flat().find(({ isFor }) => isFor?.(target) ?? true);
  return definition && { target, definition };
}

export function createScriptedApi<T extends ApiTypes, Change>(api: ApiDefinition<T, Change>) {
  const { script, appSecret } = api;
  const { contents, ...route } = api.control;
  const calls = new Map<number, LoggedCall>();
  const delays = new DelayedAnswers();
  const present = api.presentRefusal ?? presentRefusal;
  let count = 0;

  function reset(): void {
    script.reset();
    calls.clear();
    route.reset();
  }

  const { control, answer: answerControl } = createControl({
    ...route,
    reset,
    state: () => ({ settings: script.settings(), calls: [...calls.values()], ...contents() }),
  });

  const answer: Answering = async (request, response) => {
    if (await answerControl(request, response)) return true;
    const found = api.find(incomingOf(request));
    if (!found) return false;
    const { call, problem } = await readCall(api.bodies, found);
    const number = ++count;
    calls.set(number, { at: call.at, account: call.target.account, outcome: 'pending', madeId: null });
    calls.delete(number - MAX_LISTED);
    const ending = problem ? refusedBy(problem) : await endingOf(found.definition, call);
    // If the caller disconnects, the call is logged as lost but takes effect.
    const isLost = ending.kind === 'lost' || response.destroyed;
    const known = calls.get(number);
    if (known) calls.set(number, { ...known, outcome: isLost ? 'lost' : 'answered', madeId: ending.madeId });
    if (isLost) request.socket.destroy();
    else finish(response, call, ending);
    return true;
  };

  async function endingOf(definition: CallDefinition<T>, call: ReadCall<T>): Promise<Ending> {
    const { values } = call.parameters;
    try {
      const credentials = { token: tokenOf(call.target, values), proof: values['appsecret_proof'] };
      const token = authorize(credentials, { appSecret, deadTokens: script.settings().deadTokens });
      const subject = api.subjectOf(call);
      const origin = `http://${call.target.request.headers.host ?? 'platform'}`;
      const perform = () => definition.perform({ ...call, subject, token, origin });
      return await settle({ fault: script.takeFault(call.at, subject), perform, delays });
    } catch (error) {
      return refusedBy(error);
    }
  }

  function finish(response: ServerResponse, call: ReadCall<T>, ending: Exclude<Ending, { kind: 'lost' }>): void {
    const isRefused = ending.kind === 'refused';
    setUsageHeader(response, call.target, isRefused ? ending.reason : undefined);
    const { status = 200, body, file }: Effect = isRefused ? present(ending.reason, call) : ending.effect;
    if (!file) return sendJson(response, status, body);
    response.writeHead(status, { 'content-type': file.mimeType, 'content-length': file.content.length });
    response.end(file.content);
  }

  return { control, answer, reset, release: () => delays.release(), calls: () => [...calls.values()] };
}

/** A call with an unreadable body has no parameters and is refused. */
async function readCall<T extends ApiTypes>(
  bodies: BodyRules,
  { target, definition }: FoundCall<T>,
): Promise<{ call: ReadCall<T>; problem?: unknown }> {
  const { at, isRaw = false } = definition;
  const callWith = (parameters: CallParameters): ReadCall<T> => {
    return { at: typeof at === 'function' ? at(parameters) : at, target, parameters };
  };
  try {
    return { call: callWith(await readParameters(target, { ...bodies, isRaw })) };
  } catch (problem) {
    // Throws what is no refusal.
    reasonOf(problem);
    return { call: callWith(noParameters), problem };
  }
}

function setUsageHeader(response: ServerResponse, { account, id }: Target, reason: RefusalReason | undefined): void {
  const minutes = reason?.regainAccessMinutes ?? 0;
  const usage = { call_count: minutes > 0 ? 100 : 0, estimated_time_to_regain_access: minutes };
  response.setHeader('x-business-use-case-usage', JSON.stringify({ [account ?? id]: [usage] }));
}
