import { NO_RESPONSE } from '../../db/deliveries/find-page.ts';

const CLASS_SIZE = 100;

/** Expands the classes of a filter, such as `5xx`. */
export function httpStatusesOf(words: readonly string[] | undefined): readonly number[] | undefined {
  return words?.flatMap((word) => {
    if (word === 'none') return [NO_RESPONSE];
    if (!word.endsWith('xx')) return [Number(word)];
    return Array.from({ length: CLASS_SIZE }, (_, index) => Number(word[0]) * CLASS_SIZE + index);
  });
}
