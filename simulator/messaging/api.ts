import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChannelType } from '../../contract/event-types.ts';
import { deleteMedia, downloadMedia, describeMedia, uploadMedia } from './chatapp-media-calls.ts';
import { changedProfile, numberOf, readNumber, readProfile } from './chatapp-number.ts';
import { actChatapp, sendChatapp } from './chatapp-send.ts';
import { templatePage } from './chatapp-templates.ts';
import { sendJson } from '../servers/http-server.ts';
import { actDirect, sendDirect } from './direct.ts';
import { settle, type MessagingEnding } from './faults.ts';
import { isMultipart, readCall, textAt, type CallParameters } from './parameters.ts';
import {
  errorBody,
  invalidParameter,
  isThrottle,
  MessagingRefusal,
  reasonOf,
  reasons,
  statusFor,
  unknownField,
} from './refusals.ts';
import { setUsageHeaders } from './usage.ts';
import {
  asked,
  chatappWord,
  done,
  productOf,
  usualWord,
  type MessagingAnswer,
  type MessagingCall,
  type MessagingState,
} from './state.ts';
import { settledTarget, subjectOf, targetOf, type MessagingTarget } from './target.ts';
import type { JsonObject } from '../webhooks/item.ts';

interface MessagingApiOptions {
  readonly appSecret: string;
  readonly state: MessagingState;
}

/** A call as it ended, with what its answer needs besides. */
interface EndedCall {
  readonly target: MessagingTarget;
  readonly values: JsonObject;
  readonly ending: MessagingEnding;
}

/** The versioned API of the messaging side: who calls, what goes wrong, what is done, what is answered. */
export function createMessagingApi(options: MessagingApiOptions) {
  const { state } = options;

  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const url = new URL(request.url ?? '/', 'http://platform');
    const target = targetOf({
      method: request.method ?? 'GET',
      url,
      isMultipart: isMultipart(request),
      isNumber: (id) => state.numbers().some((number) => number.id === id),
    });
    if (!target) return false;
    const ended = await endedCall(options, { target, request, url });
    const isGone = ended.ending.kind === 'lost' || response.destroyed;
    state.log.countCall(ended.target.at, isGone ? 'lost' : ended.ending.kind);
    if (isGone) request.socket.destroy();
    else answer(state, response, ended);
    return true;
  };
}

async function endedCall(
  options: MessagingApiOptions,
  { target: addressed, request, url }: { target: MessagingTarget; request: IncomingMessage; url: URL },
): Promise<EndedCall> {
  let target = addressed;
  let values: JsonObject = {};
  try {
    const parameters = await readCall(request, url);
    ({ values } = parameters);
    target = settledTarget(addressed, values);
    const token = authorized(options, { parameters, authorization: request.headers.authorization });
    const fault = options.state.script.takeFault(target.at, subjectOf(target, values));
    const origin = `http://${request.headers.host ?? 'platform'}`;
    const call = { target, parameters, token, origin, failsLater: fault?.failsLater };
    return { target, values, ending: await settle(fault, () => performed(options, call)) };
  } catch (error) {
    return { target, values, ending: { kind: 'refused', reason: reasonOf(error) } };
  }
}

/** The token of the call; any is good that is not scripted to be dead. */
function authorized(
  { appSecret, state }: MessagingApiOptions,
  { parameters: { values }, authorization = '' }: { parameters: CallParameters; authorization: string | undefined },
): string {
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? textAt(values, 'access_token') ?? '';
  if (token === '') throw new MessagingRefusal(reasons.noToken);
  if (state.script.settings().deadTokens.includes(token)) throw new MessagingRefusal(reasons.deadToken);
  const proof = values['appsecret_proof'];
  const isProven = proof === undefined || proof === createHmac('sha256', appSecret).update(token).digest('hex');
  if (!isProven) throw new MessagingRefusal(reasons.wrongProof);
  return token;
}

function performed(options: MessagingApiOptions, call: MessagingCall): MessagingEnding {
  try {
    return { kind: 'answered', answer: perform(options, call) };
  } catch (error) {
    return { kind: 'refused', reason: reasonOf(error) };
  }
}

function perform({ appSecret, state }: MessagingApiOptions, call: MessagingCall): MessagingAnswer {
  const product = productOfCall(state, call.target, call.parameters.values);
  switch (call.target.at) {
    case 'send':
      return product === 'chatapp' ? sendChatapp(state, call) : sendDirect(state, { ...call, product });
    case 'action':
      return product === 'chatapp' ? actChatapp(state, call) : actDirect(state, { ...call, product });
    case 'upload':
      return uploadMedia(state, call);
    case 'media':
      return describeMedia(state, { call, appSecret });
    case 'download':
      return downloadMedia(state, { call, appSecret });
    case 'deleteMedia':
      return deleteMedia(state, call);
    case 'templates':
      return listTemplates(state, call);
    case 'number':
      return call.target.method === 'POST' ? register(state, call) : lookAtNumber(state, call);
    case 'profile':
      return call.target.method === 'POST' ? changeProfile(state, call) : lookAtProfile(state, call);
  }
}

function listTemplates({ script, numbers }: MessagingState, { target, parameters, token, origin }: MessagingCall) {
  if (numbers().some(({ id }) => id === target.id)) throw unknownField('message_templates');
  const { templates } = script.settings();
  return done(templatePage({ templates, values: parameters.values, token, url: `${origin}${target.path}` }));
}

function lookAtNumber({ numbers }: MessagingState, { target, parameters }: MessagingCall): MessagingAnswer {
  return done(readNumber(numberOf(numbers(), target.id), parameters.values));
}

function register({ script }: MessagingState, { parameters: { values } }: MessagingCall): MessagingAnswer {
  chatappWord(values, script.settings());
  if (!/^\d{6}$/.test(String(values['pin']))) throw invalidParameter('Param pin must be 6 digits.');
  return done({ success: true });
}

function lookAtProfile({ script, profiles }: MessagingState, { target, parameters }: MessagingCall): MessagingAnswer {
  const profile = profiles.get(target.id) ?? {};
  return done(readProfile(profile, { values: parameters.values, word: usualWord(script.settings()) }));
}

function changeProfile({ script, profiles }: MessagingState, { target, parameters }: MessagingCall): MessagingAnswer {
  chatappWord(parameters.values, script.settings());
  profiles.set(target.id, changedProfile(profiles.get(target.id) ?? {}, asked(parameters)));
  return done({ success: true });
}

/** Everything but messages is chatapp's alone. */
function productOfCall({ script }: MessagingState, { at, id }: MessagingTarget, values: JsonObject): ChannelType {
  return at === 'send' || at === 'action' ? productOf(id, { settings: script.settings(), values }) : 'chatapp';
}

function answer(state: MessagingState, response: ServerResponse, { target, values, ending }: EndedCall): void {
  if (ending.kind === 'lost') return;
  const settings = state.script.settings();
  const product = productOfCall(state, target, values);
  const reason = ending.kind === 'refused' ? ending.reason : undefined;
  const businessId = businessOf(state, target, product);
  setUsageHeaders(response, { usage: settings.usage, product, businessId, isThrottled: isThrottle(reason) });
  if (ending.kind === 'refused') {
    const word = product === 'chatapp' ? (textAt(values, 'messaging_product') ?? usualWord(settings)) : undefined;
    sendJson(response, statusFor(ending.reason, product === 'chatapp'), errorBody(ending.reason, word));
    return;
  }
  const { status, body, file } = ending.answer;
  if (!file) return sendJson(response, status, body);
  response.writeHead(status, { 'content-type': file.mimeType, 'content-length': file.content.length });
  response.end(file.content);
}

/** Whose limit the usage headers are about. */
function businessOf({ numbers, media }: MessagingState, { at, id }: MessagingTarget, product: ChannelType): string {
  if (product !== 'chatapp' || at === 'templates') return id;
  return numberOf(numbers(), media.find(id)?.account ?? id).businessId;
}
