import { format, resolveConfig } from 'prettier';
import { type ErrorCode, statusByErrorCode } from '../../contract/errors.ts';
import { errorMeanings } from '../../openapi/error-meanings.ts';
import { eventCatalogue } from '../../openapi/events/event-catalogue.ts';
import type { Program, Setting } from '../../process/settings.ts';

const BEGIN = '<!-- settings: written by `npm run format` -->';
const END = '<!-- end of settings -->';

/** A list, because every change would pad a table differently. `.env.example` describes the settings of `npm start`. */
function settingsMarkdown(settings: readonly Setting[]): string {
  const { serving = [], starting = [] } = Object.groupBy(settings, ({ readers }) =>
    readers.every((program) => program === 'simulator') ? 'starting' : 'serving',
  );
  const lines = serving.map((setting) => `- \`${setting.name}\`${qualifiers(setting)}: ${setting.description}`);
  const names = starting.map(({ name }) => `\`${name}\``).join(', ');
  return [...lines, `- ${names}: only for \`npm start\`. [.env.example](../.env.example) describes them.`].join('\n');
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
  const parts = [readers.join(', '), secret && 'secret', value && `\`${value}\``];
  return ` (${parts.filter(Boolean).join('; ')})`;
}

const errorMarkers = { begin: '<!-- errors: written by `npm run format` -->', end: '<!-- end of errors -->' };

/** A list by status, because every change would pad a table differently. */
function errorsMarkdown(): string {
  const codes = Object.keys(statusByErrorCode) as ErrorCode[];
  const byStatus = Object.entries(Object.groupBy(codes, (code) => statusByErrorCode[code]));
  return byStatus
    .map(
      ([status, group = []]) =>
        `### ${status}\n\n${group.map((code) => `- \`${code}\`: ${errorMeanings[code]}`).join('\n')}`,
    )
    .join('\n\n');
}

export function withErrors(document: string): string | undefined {
  return withSection(document, errorMarkers, errorsMarkdown());
}

const eventMarkers = { begin: '<!-- events: written by `npm run format` -->', end: '<!-- end of events -->' };

/** Formatted, because prettier also formats the examples. */
export async function withEvents(document: string): Promise<string | undefined> {
  const sections = Object.entries(eventCatalogue).map(([eventType, { summary, example }]) =>
    [`### ${eventType}`, summary, `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``].join('\n\n'),
  );
  const text = withSection(document, eventMarkers, sections.join('\n\n'));
  return text && (await format(text, { ...(await resolveConfig('docs/events.md')), parser: 'markdown' }));
}

const programs = ['api', 'worker', 'gateway', 'admin'] as const satisfies readonly Program[];

/** Variables of the Temporal SDK that are secrets. The programs that read the server's address get them too. */
const temporalSecrets = [
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
];

/** The settings of each program, for the chart: Helm reads no TypeScript. */
export function readersYaml(settings: readonly Setting[]): string {
  const names = (found: readonly string[]): string => found.map((name) => `    - ${name}\n`).join('');
  const part = (program: string, read: readonly Setting[]): string => {
    const secrets = read.flatMap(({ name, secret }) => (secret ? [name] : []));
    const plain = read.flatMap(({ name, secret }) => (secret ? [] : [name]));
    const sdk = plain.includes('TEMPORAL_ADDRESS') ? temporalSecrets : [];
    return `${program}:\n  settings:\n${names(plain)}  secrets:\n${names([...secrets, ...sdk])}`;
  };
  const parts = [
    ...programs.map((program) =>
      part(
        program,
        settings.filter(({ readers }) => readers.includes(program)),
      ),
    ),
    // `admin register-search-attributes`, which needs the server only.
    part(
      'temporal',
      settings.filter(({ name }) => /^TEMPORAL_(?:ADDRESS|NAMESPACE)$/.test(name)),
    ),
  ];
  const all = settings.map(({ name }) => `  - ${name}\n`).join('');
  return `# Written by \`npm run format\` from process/settings.ts.\n${parts.join('')}all:\n${all}`;
}

interface SectionMarkers {
  readonly begin: string;
  readonly end: string;
}

/** Returns undefined if the document lacks the markers. */
function withSection(document: string, { begin, end }: SectionMarkers, text: string): string | undefined {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) return undefined;
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}
