import { objectAddress } from '../scripted-api/address.ts';
import { createScriptedApi, findCall, type CallTable, type ScriptedApi, type Target } from '../scripted-api/api.ts';
import { scriptedRefusal } from '../scripted-api/fault.ts';
import { createContainer, publishContainer, type MediaState } from './publishing.ts';
import { listMedia, readContainer, readMedia, readQuota } from './reads.ts';
import type { MediaTypes } from './script.ts';
import { looksLikeContainer } from './store.ts';
import type { MediaSubjects } from './subject.ts';

interface MediaApiOptions {
  readonly appSecret: string;
  readonly state: MediaState;
  readonly subjects: MediaSubjects;
}

const ID = /^\d{1,40}$/;

export function createMediaApi({ appSecret, state, subjects }: MediaApiOptions): ScriptedApi {
  const { store, script, nowMs } = state;
  const calls = mediaCalls(state);
  const accountOf = (id: string): string | null => (store.container(id) ?? store.post(id))?.account ?? null;

  return createScriptedApi<MediaTypes>({
    appSecret,
    script,
    nowMs,
    bodies: { maxBytes: 64 * 1024, hasJsonForms: false },
    find(incoming) {
      const address = objectAddress(incoming);
      if (!address || !ID.test(address.id)) return undefined;
      const { id, edge } = address;
      return findCall(calls, { ...address, account: edge === '' ? accountOf(id) : id });
    },
    subjectOf: (call) => subjects.of(call),
    refusalOf: (fault) => scriptedRefusal(fault),
    usageOf: ({ target }) => ({ type: 'instagram', businessId: target.account ?? target.id, isThrottled: false }),
  });
}

function mediaCalls(state: MediaState): CallTable<MediaTypes> {
  const { store } = state;
  const isContainer = ({ id }: Target): boolean => store.container(id) !== undefined || looksLikeContainer(id);
  // The content API answers all other reads of a post.
  const isPermalink = ({ id, url }: Target): boolean =>
    store.post(id) !== undefined && url.searchParams.get('fields') === 'permalink';

  return {
    'POST media': { at: 'create', perform: (call) => createContainer(state, call) },
    'POST media_publish': { at: 'publish', perform: (call) => publishContainer(state, call) },
    'GET ': [
      { at: 'status', isFor: isContainer, perform: (call) => readContainer(state, call) },
      { at: 'permalink', isFor: isPermalink, perform: (call) => readMedia(state, call) },
    ],
    'GET media': { at: 'list', perform: (call) => listMedia(state, call) },
    'GET stories': { at: 'list', isFor: ({ id }) => !state.isPage(id), perform: (call) => listMedia(state, call) },
    'GET content_publishing_limit': { at: 'quota', perform: (call) => readQuota(state, call) },
  };
}
