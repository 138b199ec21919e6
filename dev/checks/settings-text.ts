import type { Setting } from '../../process/settings.ts';

const BEGIN = '<!-- settings: written by `npm run format` -->';
const END = '<!-- end of settings -->';

/** The settings as a Markdown list; a list, because formatters pad tables anew with every change. */
export function settingsMarkdown(settings: readonly Setting[]): string {
  return settings
    .map((setting) => `- \`${setting.name}\`${standing(setting)}: ${lowerFirst(setting.description)}`)
    .join('\n');
}

/** The text of `.env.example`: every setting as a comment, so that a copy changes nothing until edited. */
export function envExample(settings: readonly Setting[]): string {
  const blocks = settings.map(({ name, default: value = '', description }) => `# ${description}\n#${name}=${value}\n`);
  return `# Copy to .env and edit. Every setting has the value that holds when it is left out.\n\n${blocks.join('\n')}`;
}

/** The document with the section between its markers replaced; undefined where the markers are missing. */
export function withSettings(document: string, settings: readonly Setting[]): string | undefined {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin) return undefined;
  return `${document.slice(0, begin + BEGIN.length)}\n\n${settingsMarkdown(settings)}\n\n${document.slice(end)}`;
}

export const settingsMarkers = `${BEGIN}\n${END}`;

function standing({ default: value, secret }: Setting): string {
  const parts = [secret && 'secret', value ? `default \`${value}\`` : 'optional'];
  return ` (${parts.filter(Boolean).join(', ')})`;
}

/** Sentences start small behind the colon, unless they begin with a name such as PostgreSQL or with code. */
function lowerFirst(sentence: string): string {
  return /^[A-Z][a-z]+\b/.test(sentence) && !/^Temporal\b/.test(sentence)
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;
}
