import type { ChannelType } from '../../contract/event-types.ts';
import {
  createScriptedApi,
  findCall,
  objectAddress,
  type Address,
  type CallTable,
  type ReadCall,
  type Target,
} from '../scripted-api/api.ts';
import { isMultipart, textAt, type CallParameters, type Incoming } from '../scripted-api/parameters.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { isBusinessAccount, readBusiness } from './chatapp-business.ts';
import { deleteMedia, describeMedia, DOWNLOAD_PATH, downloadMedia, uploadMedia } from './chatapp-media-calls.ts';
import { looksLikeChatappMedia } from './chatapp-media.ts';
import { changedProfile, namesNumberFields, numberOf, readNumber, readProfile } from './chatapp-number.ts';
import { actChatapp, sendChatapp } from './chatapp-send.ts';
import { templatePage } from './chatapp-templates.ts';
import { messagingControl, type MessagingControl, type MessagingTypes } from './control.ts';
import { actDirect, sendDirect } from './direct.ts';
import { messagingRefusals, presentMessagingRefusal, unknownField } from './refusals.ts';
import {
  bodyOf,
  chatappWord,
  defaultWord,
  done,
  isAction,
  productOf,
  recipientIn,
  type MessagingCall,
  type MessagingState,
} from './state.ts';

const ID = /^\d{1,40}$/;
/** Other ids with this first digit are longer. */
const NUMBER_ID = /^1\d{14}$/;

export function createMessagingApi(state: MessagingState, appSecret: string) {
  const { script, sent, actions, windows, media, profiles, webhooks } = state;
  const calls = messagingCalls(state, appSecret);

  return createScriptedApi<MessagingTypes, MessagingControl>({
    appSecret,
    script,
    control: {
      path: '/control/messaging',
      schema: messagingControl,
      apply: script.control,
      reset() {
        for (const each of [sent, actions, windows, media, profiles]) each.clear();
        webhooks.cancel();
      },
      contents: () => ({ sent: sent.list(), actions: actions.list() }),
    },
    bodies: { maxBytes: 256 * 1024, hasJsonForms: true },
    find(incoming) {
      const address = downloadAddress(incoming) ?? objectAddress(incoming);
      if (!address || (address.edge !== DOWNLOAD_PATH && !ID.test(address.id))) return undefined;
      return findCall(calls, { ...address, account: address.id });
    },
    subjectOf: ({ target, parameters }) => ({ account: target.account, to: recipientIn(parameters.values) }),
    presentRefusal(reason, call) {
      const word = textAt(call.parameters.values, 'messaging_product') ?? defaultWord(script.settings());
      return presentMessagingRefusal(reason, productOfCall(call) === 'chatapp' ? word : undefined);
    },
  });
}

function downloadAddress(incoming: Incoming): Address | undefined {
  const { pathname, searchParams } = incoming.url;
  if (pathname !== DOWNLOAD_PATH) return undefined;
  return { ...incoming, id: searchParams.get('mid') ?? '', edge: DOWNLOAD_PATH };
}

function productOfCall({ at, target, parameters }: ReadCall<MessagingTypes>): ChannelType {
  return at === 'send' || at === 'action' ? productOf(target.id, parameters.values) : 'chatapp';
}

function messagingCalls(state: MessagingState, appSecret: string): CallTable<MessagingTypes> {
  const { accounts } = state;
  const numbers = () => accounts.state().numbers;
  const isNumber = ({ id }: Target): boolean => NUMBER_ID.test(id) || numbers().some((number) => number.id === id);
  const isBusiness = ({ id }: Target): boolean => isBusinessAccount(numbers(), id);
  const isMedia = ({ id }: Target): boolean => looksLikeChatappMedia(id);
  const namesNumberFieldsIn = ({ url }: Target): boolean => namesNumberFields(url.searchParams.get('fields') ?? '');

  return {
    'POST messages': {
      at: ({ values }: CallParameters) => (isAction(values) ? 'action' : 'send'),
      perform: (call) => postToMessages(state, call),
    },
    'POST media': {
      at: 'upload',
      // Photo accounts create containers here, without a file.
      isFor: (target) => isMultipart(target.request) || isNumber(target),
      perform: (call) => uploadMedia(state, call),
    },
    'GET ': [
      {
        at: 'number',
        isFor: isBusiness,
        perform: ({ target, parameters }) => done(readBusiness(target.id, parameters)),
      },
      { at: 'media', isFor: isMedia, perform: (call) => describeMedia(state, { call, appSecret }) },
      {
        at: 'number',
        isFor: (target) => isNumber(target) || namesNumberFieldsIn(target),
        perform: ({ target: { id }, parameters: { values } }) =>
          done(readNumber(numberOf(numbers(), id), { values, given: accounts.factsOf(id) })),
      },
    ],
    'DELETE ': { at: 'deleteMedia', isFor: isMedia, perform: (call) => deleteMedia(state, call) },
    [`GET ${DOWNLOAD_PATH}`]: { at: 'download', perform: (call) => downloadMedia(state, { call, appSecret }) },
    'GET message_templates': { at: 'templates', perform: (call) => listTemplates(state, call) },
    'POST register': { at: 'number', perform: (call) => registerNumber(state, call) },
    'GET whatsapp_business_profile': { at: 'profile', perform: (call) => getProfile(state, call) },
    'POST whatsapp_business_profile': { at: 'profile', perform: (call) => changeProfile(state, call) },
  };
}

function postToMessages(state: MessagingState, call: MessagingCall): Effect {
  const product = productOf(call.target.id, call.parameters.values);
  if (call.at === 'action') {
    return product === 'chatapp' ? actChatapp(state, call) : actDirect(state, { ...call, product });
  }
  return product === 'chatapp' ? sendChatapp(state, call) : sendDirect(state, { ...call, product });
}

function listTemplates({ accounts }: MessagingState, call: MessagingCall): Effect {
  const { id, url } = call.target;
  if (accounts.state().numbers.some((number) => number.id === id)) throw unknownField('message_templates');
  const { token, origin, parameters } = call;
  return done(templatePage({ values: parameters.values, token, url: `${origin}${url.pathname}` }));
}

function registerNumber(
  { script, accounts }: MessagingState,
  { target, parameters: { values } }: MessagingCall,
): Effect {
  chatappWord(values, script.settings());
  const pin = String(values['pin']);
  if (!/^\d{6}$/.test(pin)) throw invalidParameter('Param pin must be 6 digits.');
  const refusal = accounts.register(target.id, pin);
  if (refusal === 'not_verified') throw new Refusal(messagingRefusals.notVerified);
  if (refusal === 'wrong_pin') throw new Refusal(messagingRefusals.wrongPin);
  return done({ success: true });
}

function getProfile({ script, profiles }: MessagingState, { target, parameters }: MessagingCall): Effect {
  const profile = profiles.get(target.id) ?? {};
  return done(readProfile(profile, { values: parameters.values, word: defaultWord(script.settings()) }));
}

function changeProfile({ script, profiles }: MessagingState, { target, parameters }: MessagingCall): Effect {
  chatappWord(parameters.values, script.settings());
  profiles.set(target.id, changedProfile(profiles.get(target.id) ?? {}, bodyOf(parameters)));
  return done({ success: true });
}
