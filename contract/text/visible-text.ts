/**
 * Names are shown in pages, mails and terminals beside texts of others. Characters that are not seen, or that change the
 * direction of a line, let one name pass for another or rearrange what follows it.
 */

/** Scripts that need joiners within words. Emoji need them too. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}' +
  '\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}' +
  '\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f';
const VARIANTS = `${EMOJI}\\p{Script=Han}\\p{Script=Mongolian}0-9#*`;

/** Includes letters and a symbol that have no shape: fillers of Hangul, vowels of Khmer, the empty pattern of Braille. */
const INVISIBLE =
  '(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u2065\\u2800\\u3164\\uffa0]' +
  `|(?<![${JOINING}${EMOJI}])[\\u200c\\u200d]|(?<![${VARIANTS}])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]`;

const anyInvisible = new RegExp(INVISIBLE, 'u');
const eachInvisible = new RegExp(`(?:${INVISIBLE})+`, 'gu');
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

export function isVisibleText(text: string): boolean {
  return !anyInvisible.test(text) && visible.test(text);
}

/** For names that others chose, such as those of accounts. Returns '' if nothing is left. */
export function visibleText(text: string): string {
  const cleaned = text.replace(eachInvisible, ' ').replace(/\s+/g, ' ').trim();
  return isVisibleText(cleaned) ? cleaned : '';
}
