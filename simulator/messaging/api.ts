import type { ChannelType } from '../../contract/event-types.ts';
import { objectAddress, type Address, type Incoming } from '../scripted-api/address.ts';
import { createScriptedApi, findCall, type ReadCall, type ScriptedApi } from '../scripted-api/api.ts';
import { scriptedRefusal } from '../scripted-api/fault.ts';
import { textAt } from '../scripted-api/parameters.ts';
import { messagingCalls } from './calls.ts';
import { DOWNLOAD_PATH } from './chatapp-media-calls.ts';
import { directEdges } from './direct-settings.ts';
import { numberOf } from './chatapp-number.ts';
import { isThrottle, presentMessagingRefusal } from './refusals.ts';
import { defaultWord, productOf, type MessagingState } from './state.ts';
import { subjectOf, type MessagingTypes } from './subject.ts';

type MessagingRead = ReadCall<MessagingTypes>;

const ID = /^\d{1,40}$/;
const usageTypes: Readonly<Record<ChannelType, string>> = {
  chatapp: 'whatsapp',
  photoapp: 'instagram',
  pageapp: 'messenger',
};

export function createMessagingApi(state: MessagingState, appSecret: string): ScriptedApi {
  const { script } = state;
  const calls = messagingCalls(state, appSecret);

  return createScriptedApi<MessagingTypes>({
    appSecret,
    script,
    nowMs: state.now,
    bodies: { maxBytes: 256 * 1024, hasJsonForms: true },
    find(incoming) {
      const address = downloadAddress(incoming) ?? objectAddress(incoming);
      if (!address || (address.edge !== DOWNLOAD_PATH && !ID.test(address.id))) return undefined;
      return findCall(calls, { ...address, account: address.id });
    },
    subjectOf,
    refusalOf: (fault) => scriptedRefusal(fault, { details: 'Scripted refusal' }),
    presentRefusal(reason, call) {
      const word = textAt(call.parameters.values, 'messaging_product') ?? defaultWord(script.settings());
      return presentMessagingRefusal(reason, productOfCall(state, call) === 'chatapp' ? word : undefined);
    },
    usageOf(call, reason) {
      const product = productOfCall(state, call);
      const isThrottled = reason !== undefined && isThrottle(reason.code);
      return { type: usageTypes[product], businessId: businessOf(state, call, product), isThrottled };
    },
  });
}

function downloadAddress(incoming: Incoming): Address | undefined {
  const { pathname, searchParams } = incoming.url;
  if (pathname !== DOWNLOAD_PATH) return undefined;
  return { ...incoming, id: searchParams.get('mid') ?? '', edge: DOWNLOAD_PATH };
}

function productOfCall({ script }: MessagingState, { at, target, parameters }: MessagingRead): ChannelType {
  if (at !== 'send' && at !== 'action' && !directEdges.has(target.edge)) return 'chatapp';
  return productOf(target.id, { settings: script.settings(), values: parameters.values });
}

function businessOf({ numbers, media }: MessagingState, { at, target }: MessagingRead, product: ChannelType): string {
  const { id } = target;
  if (product !== 'chatapp' || at === 'templates') return id;
  return numberOf(numbers(), media.find(id)?.account ?? id).businessId;
}
