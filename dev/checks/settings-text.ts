import type { Setting } from '../../process/settings.ts';
import { withSection } from './generated-section.ts';

const BEGIN = '<!-- settings: written by `npm run format` -->';
const END = '<!-- end of settings -->';

/** A list, because every change would pad a table differently. */
export function settingsMarkdown(settings: readonly Setting[]): string {
  return settings.map((setting) => `- \`${setting.name}\`${qualifiers(setting)}: ${setting.description}`).join('\n');
}

export function envExample(settings: readonly Setting[]): string {
  const blocks = settings.map(({ name, default: value = '', description }) => `# ${description}\n#${name}=${value}\n`);
  return `# Copy to .env and edit. Each line shows the default of its setting.\n\n${blocks.join('\n')}`;
}

export function withSettings(document: string, settings: readonly Setting[]): string | undefined {
  return withSection(document, { begin: BEGIN, end: END }, settingsMarkdown(settings));
}

export const settingsMarkers = `${BEGIN}\n${END}`;

function qualifiers({ default: value, readers, secret }: Setting): string {
  const parts = [
    readers.length > 0 && `read by ${readers.join(', ')}`,
    secret && 'secret',
    value ? `default \`${value}\`` : value === '' ? 'default empty' : 'no default',
  ];
  return ` (${parts.filter(Boolean).join(', ')})`;
}
