import { type ErrorCode, statusByErrorCode } from '../../contract/errors.ts';
import { format, resolveConfig } from 'prettier';
import { errorMeanings } from '../../openapi/error-meanings.ts';
import { eventCatalogue } from '../../openapi/events/event-catalogue.ts';
import { withSection } from './generated-section.ts';

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
