/** Text that needs no escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

/** Builds HTML from a template. Escapes all values that are not HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, index) => text + textOf(parts[index])).join(''));
}

function textOf(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return part === false || part === undefined ? '' : escape(String(part));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replace(/["&<>]/g, (character) => entities[character]!);
}

/** Returns a description, whose Markdown has code, links and paragraphs only. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`);
  return html`${paragraphs}`;
}

export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\[[^[\]]+\]\([^()\s]+\))/g).map((part) => {
    if (part.startsWith('`') && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    const [, label, url] = /^\[([^[\]]+)\]\((https?:[^()]+|\/[^()]*)\)$/.exec(part) ?? [];
    return label === undefined ? html`${part}` : html`<a href="${url}">${label}</a>`;
  });
  return html`${parts}`;
}
