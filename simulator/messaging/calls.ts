import type { CallTable } from '../scripted-api/api.ts';
import { isMultipart, type CallParameters } from '../scripted-api/parameters.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { isBusinessAccount, readBusiness } from './chatapp-business.ts';
import { deleteMedia, describeMedia, DOWNLOAD_PATH, downloadMedia, uploadMedia } from './chatapp-media-calls.ts';
import { looksLikeChatappMedia } from './chatapp-media.ts';
import { namesNumberFields, changedProfile, numberOf, readNumber, readProfile } from './chatapp-number.ts';
import { actChatapp, sendChatapp, sendMarketing } from './chatapp-send.ts';
import { settingsCalls } from './chatapp-settings.ts';
import { templateCalls } from './chatapp-template-calls.ts';
import { templatePage } from './chatapp-templates.ts';
import { directSettingsCalls } from './direct-settings.ts';
import { actDirect, sendDirect } from './direct.ts';
import { messagingRefusals, unknownField } from './refusals.ts';
import { bodyOf, chatappWord, defaultWord, done, productOf, type MessagingCall, type MessagingState } from './state.ts';
import { isAction, type MessagingTarget, type MessagingTypes } from './subject.ts';

/** Other ids with this first digit are longer. */
const NUMBER_ID = /^1\d{14}$/;

export function messagingCalls(state: MessagingState, appSecret: string): CallTable<MessagingTypes> {
  const isNumber = ({ id }: MessagingTarget): boolean =>
    NUMBER_ID.test(id) || state.numbers().some((number) => number.id === id);
  const isBusiness = ({ id }: MessagingTarget): boolean => isBusinessAccount(state.numbers(), id);
  const isMedia = ({ id }: MessagingTarget): boolean => looksLikeChatappMedia(id);
  const namesNumberFieldsIn = ({ url }: MessagingTarget): boolean =>
    namesNumberFields(url.searchParams.get('fields') ?? undefined);

  const templates = templateCalls(state);

  return {
    'POST messages': {
      at: ({ values }: CallParameters) => (isAction(values) ? 'action' : 'send'),
      perform: (call) => postToMessages(state, call),
    },
    'POST marketing_messages': { at: 'send', isFor: isNumber, perform: (call) => sendMarketing(state, call) },
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
      templates.read,
      {
        at: 'number',
        isFor: (target) => isNumber(target) || namesNumberFieldsIn(target),
        perform: ({ target, parameters: { values } }) =>
          done(readNumber(numberOf(state.numbers(), target.id), { values, given: state.factsOf(target.id) })),
      },
    ],
    'POST ': templates.edit,
    'DELETE ': { at: 'deleteMedia', isFor: isMedia, perform: (call) => deleteMedia(state, call) },
    [`GET ${DOWNLOAD_PATH}`]: { at: 'download', perform: (call) => downloadMedia(state, { call, appSecret }) },
    'GET message_templates': { at: 'templates', perform: (call) => listTemplates(state, call) },
    'POST register': { at: 'number', perform: (call) => registerNumber(state, call) },
    'GET whatsapp_business_profile': { at: 'profile', perform: (call) => getProfile(state, call) },
    'POST whatsapp_business_profile': { at: 'profile', perform: (call) => changeProfile(state, call) },
    ...templates.edges,
    ...settingsCalls(state),
    ...directSettingsCalls(state),
  };
}

function postToMessages(state: MessagingState, call: MessagingCall): Effect {
  const settings = state.script.settings();
  const product = productOf(call.target.id, { settings, values: call.parameters.values });
  if (call.at === 'action') {
    return product === 'chatapp' ? actChatapp(state, call) : actDirect(state, { ...call, product });
  }
  return product === 'chatapp' ? sendChatapp(state, call) : sendDirect(state, { ...call, product });
}

function listTemplates({ script, numbers }: MessagingState, { target, parameters, token, origin }: MessagingCall) {
  if (numbers().some(({ id }) => id === target.id)) throw unknownField('message_templates');
  const { templates } = script.settings();
  return done(templatePage({ templates, values: parameters.values, token, url: `${origin}${target.url.pathname}` }));
}

function registerNumber(
  { script, register }: MessagingState,
  { target, parameters: { values } }: MessagingCall,
): Effect {
  chatappWord(values, script.settings());
  const pin = String(values['pin']);
  if (!/^\d{6}$/.test(pin)) throw invalidParameter('Param pin must be 6 digits.');
  const refusal = register(target.id, pin);
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
