import { z } from 'zod';
import { MediaRefusal, refusals } from '../scripted-api/refusals.ts';
import type { MediaType } from './store.ts';

const share = z.number().min(0).max(1);
const tags = z.array(z.looseObject({ username: z.string().min(1), x: share.optional(), y: share.optional() }));
const MAX_TAGS = 20;

/** Tags of people: a place in a photo each, and no place anywhere else. */
export function checkTags(text: string | undefined, mediaType: MediaType): void {
  if (text === undefined) return;
  const { data, success } = tags.safeParse(parsed(text));
  if (!success) throw new MediaRefusal(refusals.tagInvalid);
  if (data.length > MAX_TAGS) throw new MediaRefusal(refusals.tooManyTags);
  for (const { x, y } of data) {
    if (mediaType === 'IMAGE' && (x === undefined || y === undefined)) {
      throw new MediaRefusal(refusals.tagWithoutPosition);
    }
    if (mediaType !== 'IMAGE' && (x ?? y) !== undefined) throw new MediaRefusal(refusals.tagPosition);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
