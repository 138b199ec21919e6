export interface Markup {
  readonly markup: string;
}

type Part = string | Markup | readonly Markup[] | false | undefined;

/** Joins markup with text, whose special characters are escaped. For elements and quoted attributes, not for scripts. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: texts.map((text, index) => text + rendered(parts[index])).join('') };
}

function rendered(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  if ('markup' in part) return part.markup;
  return part.map(({ markup }) => markup).join('');
}
