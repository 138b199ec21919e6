import type { Template } from './control.ts';
import { isObject, listAt, objectAt, textAt } from '../scripted-api/parameters.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';
import { messagingRefusals, unknownField } from './refusals.ts';
import type { JsonObject } from '../webhooks/item.ts';

const defaultFields = ['name', 'parameter_format', 'components', 'language', 'status', 'category', 'id'];
/** Known to the platform, which omits them for these templates. */
const otherFields = [
  ...['correct_category', 'cta_url_link_tracking_opted_out', 'degrees_of_freedom_spec', 'library_template_name'],
  ...['message_send_ttl_seconds', 'previous_category', 'quality_score', 'rejected_reason', 'sub_category'],
];
const filters = ['name', 'language', 'status', 'category'] as const;
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1_000;

interface TemplateQuery {
  readonly templates: readonly Template[];
  readonly values: JsonObject;
  readonly url: string;
  readonly token: string;
}

/** `next` contains host and token, as on the platform. */
export function templatePage({ templates, values, url, token }: TemplateQuery): JsonObject {
  const fields = templateFields(textAt(values, 'fields'));
  const limit = limitOf(values['limit']);
  const found = withIds(templates).filter((template) => filters.every((name) => fits(template[name], values[name])));
  const before = textAt(values, 'before');
  const end = before === undefined ? found.length : positionOf(before);
  const start = before === undefined ? afterOf(values) : Math.max(0, end - limit);
  const page = found.slice(start, Math.min(end, start + limit));
  const last = start + page.length;
  const data = page.map((template) =>
    Object.fromEntries(Object.entries(template).filter(([name]) => fields.has(name))),
  );
  const summary = summaryOf(textAt(values, 'summary'), found.length);
  if (page.length === 0) return { data, ...summary };
  const link = (cursor: Record<string, string>): string => {
    const kept = ['fields', 'limit', ...filters].flatMap((name) =>
      values[name] === undefined ? [] : [[name, String(values[name])]],
    );
    return `${url}?${new URLSearchParams({ access_token: token, ...Object.fromEntries(kept), ...cursor }).toString()}`;
  };
  const cursors = { before: cursorOf(start), after: cursorOf(last) };
  return {
    data,
    paging: {
      cursors,
      ...(start > 0 && { previous: link({ before: cursors.before }) }),
      ...(last < found.length && { next: link({ after: cursors.after }) }),
    },
    ...summary,
  };
}

function summaryOf(asked: string | undefined, count: number): JsonObject {
  if (asked === undefined) return {};
  const facts = { total_count: count, message_template_count: count, message_template_limit: 250 };
  return { summary: { ...facts, are_translations_complete: true } };
}

export function checkTemplate(templates: readonly Template[], message: JsonObject): void {
  const language = textAt(objectAt(message, 'language') ?? {}, 'code');
  const template = templates.find((each) => each.name === message['name'] && each.language === language);
  if (!template || template.status === 'PENDING' || template.status === 'REJECTED') {
    const details = `template name (${String(message['name'])}) does not exist in ${language}`;
    throw new Refusal({ ...messagingRefusals.noTemplate, details });
  }
  if (template.status !== 'APPROVED') throw new Refusal(messagingRefusals.pausedTemplate);
  for (const type of ['header', 'body']) {
    const expected = expectedCount(template.components, type);
    const actual = actualCount(message, type);
    if (expected === actual) continue;
    const details = `${type}: number of params (${actual}) does not match the expected number of params (${expected})`;
    throw new Refusal({ ...messagingRefusals.templateParameters, details });
  }
}

/** Counts distinct placeholders; media headers take one parameter. */
function expectedCount(components: Template['components'], type: string): number {
  const component = components.find((each) => String(each['type']).toLowerCase() === type);
  if (!component) return 0;
  const format = textAt(component, 'format') ?? 'TEXT';
  if (format !== 'TEXT') return 1;
  return placeholders(component).size;
}

function actualCount(message: JsonObject, type: string): number {
  const components = (listAt(message, 'components') ?? []).filter(isObject);
  const component = components.find((each) => String(each['type']).toLowerCase() === type);
  return component ? (listAt(component, 'parameters') ?? []).length : 0;
}

function placeholders(component: JsonObject): ReadonlySet<string> {
  return new Set((textAt(component, 'text') ?? '').match(/\{\{\s*\w+\s*\}\}/g));
}

function formatOf({ components }: Template): 'POSITIONAL' | 'NAMED' {
  const names = components.flatMap((component) => [...placeholders(component)]);
  return names.some((name) => /[a-z]/i.test(name)) ? 'NAMED' : 'POSITIONAL';
}

export function withIds(templates: readonly Template[]) {
  const firstId = 700_000_000_000_001;
  return templates.map((template, index) => {
    return { ...template, id: template.id ?? String(firstId + index), parameter_format: formatOf(template) };
  });
}

export function templateFields(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set(defaultFields);
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !defaultFields.includes(name) && !otherFields.includes(name));
  if (unknown !== undefined) throw unknownField(unknown);
  return new Set([...names, 'id']);
}

function fits(value: string, wanted: unknown): boolean {
  return wanted === undefined || (typeof wanted === 'string' && value.toLowerCase() === wanted.toLowerCase());
}

function limitOf(value: unknown): number {
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1) throw invalidParameter('Param limit must be a positive integer.');
  return Math.min(limit, MAX_LIMIT);
}

function afterOf(values: JsonObject): number {
  const after = textAt(values, 'after');
  return after === undefined ? 0 : positionOf(after);
}

function cursorOf(position: number): string {
  return Buffer.from(`templates:${position}`).toString('base64url');
}

function positionOf(cursor: string): number {
  const position = /^templates:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (position === undefined) throw invalidParameter('Invalid cursors values');
  return Number(position);
}
