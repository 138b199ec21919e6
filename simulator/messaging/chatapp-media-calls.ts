import { createHmac } from 'node:crypto';
import type { StoredMedia } from './chatapp-media.ts';
import { textAt } from './parameters.ts';
import { invalidParameter, missingObject } from './refusals.ts';
import { chatappWord, done, type MessagingAnswer, type MessagingCall, type MessagingState } from './state.ts';
import { DOWNLOAD_PATH } from './target.ts';

/** How long the address of a file is good. */
const ADDRESS_SECONDS = 300;

/** Takes a file for the messages of a number. */
export function uploadMedia(state: MessagingState, { target, parameters }: MessagingCall): MessagingAnswer {
  const word = chatappWord(parameters.values, state.script.settings());
  const file = parameters.files.get('file');
  if (!file) throw invalidParameter('The parameter file is required.');
  const type = textAt(parameters.values, 'type') ?? '';
  const { id } = state.media.add({ account: target.id, type, file, word, nowMs: state.now() });
  return done({ id });
}

/** What is known of a file, with an address that opens it for a while. */
export function describeMedia(
  state: MessagingState,
  { call, appSecret }: { call: MessagingCall; appSecret: string },
): MessagingAnswer {
  const media = found(state, call);
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

/** The bytes behind an address, while it is good; it is answered 404 after that, as if it had never been. */
export function downloadMedia(
  state: MessagingState,
  { call, appSecret }: { call: MessagingCall; appSecret: string },
): MessagingAnswer {
  const media = state.media.find(call.target.id);
  const { ext, hash } = call.parameters.values;
  const expiresAt = Number(ext);
  const isGood = media && hash === addressHash(media, expiresAt, appSecret) && state.now() / 1000 < expiresAt;
  if (!isGood) return { status: 404, body: 'URL signature expired' };
  return { status: 200, body: null, file: media };
}

export function deleteMedia(state: MessagingState, call: MessagingCall): MessagingAnswer {
  state.media.remove(found(state, call).id);
  return done({ success: true });
}

/** The caller may name the number that the file must belong to. */
function found({ media }: MessagingState, { target, parameters }: MessagingCall): StoredMedia {
  const stored = media.find(target.id);
  const number = textAt(parameters.values, 'phone_number_id');
  if (!stored || (number !== undefined && number !== stored.account)) throw missingObject(target.id);
  return stored;
}

function addressHash({ id, sha256 }: StoredMedia, expiresAt: number, appSecret: string): string {
  return createHmac('sha256', appSecret).update(`${id} ${sha256} ${expiresAt}`).digest('base64url');
}
