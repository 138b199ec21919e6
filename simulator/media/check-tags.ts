import { z } from 'zod';
import { parseJson } from '../scripted-api/parameters.ts';
import { Refusal } from '../scripted-api/refusals.ts';
import { mediaRefusals } from './refusals.ts';
import type { MediaType } from './store.ts';

const share = z.number().min(0).max(1);
const tags = z.array(z.looseObject({ username: z.string().min(1), x: share.optional(), y: share.optional() }));
const MAX_TAGS = 20;

/** Photo tags need a position; tags of other media have none. */
export function checkTags(text: string | undefined, mediaType: MediaType): void {
  if (text === undefined) return;
  const { data, success } = tags.safeParse(parseJson(text));
  if (!success) throw new Refusal(mediaRefusals.tagInvalid);
  if (data.length > MAX_TAGS) throw new Refusal(mediaRefusals.tooManyTags);
  for (const { x, y } of data) {
    if (mediaType === 'IMAGE' && (x === undefined || y === undefined)) {
      throw new Refusal(mediaRefusals.tagWithoutPosition);
    }
    if (mediaType !== 'IMAGE' && (x ?? y) !== undefined) throw new Refusal(mediaRefusals.tagPosition);
  }
}
