import { createHmac } from 'node:crypto';
import { textAt } from '../scripted-api/parameters.ts';
import { invalidParameter, missingObject } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import type { StoredMedia } from './chatapp-media.ts';
import { chatappWord, done, type MessagingCall, type MessagingState } from './state.ts';

/** The path has no version. A token and a hash in the query grant access. */
export const DOWNLOAD_PATH = '/attachments/';
const ADDRESS_SECONDS = 300;

export function uploadMedia(state: MessagingState, { target, parameters }: MessagingCall): Effect {
  const word = chatappWord(parameters.values, state.script.settings());
  const file = parameters.files.get('file');
  if (!file) throw invalidParameter('The parameter file is required.');
  const type = textAt(parameters.values, 'type') ?? '';
  return done({ id: state.media.add({ account: target.id, type, file, word }) });
}

export function describeMedia(
  state: MessagingState,
  { call, appSecret }: { call: MessagingCall; appSecret: string },
): Effect {
  const media = requireMedia(state, call);
  const expiresAt = Math.floor(state.now() / 1000) + ADDRESS_SECONDS;
  const query = new URLSearchParams({
    mid: media.id,
    ext: `${expiresAt}`,
    hash: addressHash(media, expiresAt, appSecret),
  });
  return done({
    url: `${call.origin}${DOWNLOAD_PATH}?${query.toString()}`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: media.content.length,
    id: media.id,
    messaging_product: media.word,
  });
}

export function downloadMedia(
  state: MessagingState,
  { call, appSecret }: { call: MessagingCall; appSecret: string },
): Effect {
  const media = state.media.find(call.target.id);
  const { ext, hash } = call.parameters.values;
  const expiresAt = Number(ext);
  const isValid = media && hash === addressHash(media, expiresAt, appSecret) && state.now() / 1000 < expiresAt;
  if (!isValid) return { status: 404, body: 'URL signature expired' };
  return { status: 200, body: null, file: media };
}

export function deleteMedia(state: MessagingState, call: MessagingCall): Effect {
  state.media.remove(requireMedia(state, call).id);
  return done({ success: true });
}

function requireMedia({ media }: MessagingState, { target, parameters }: MessagingCall): StoredMedia {
  const stored = media.find(target.id);
  const number = textAt(parameters.values, 'phone_number_id');
  if (!stored || (number !== undefined && number !== stored.account)) throw missingObject(target.id, 'request');
  return stored;
}

function addressHash({ id, sha256 }: StoredMedia, expiresAt: number, appSecret: string): string {
  return createHmac('sha256', appSecret).update(`${id} ${sha256} ${expiresAt}`).digest('base64url');
}
