import { pageOf } from '../scripted-api/paging.ts';
import { isObject, listAt, objectAt, textAt } from '../scripted-api/parameters.ts';
import { Refusal } from '../scripted-api/refusals.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { demoTemplates } from './chatapp-demo-templates.ts';
import { messagingRefusals, unknownField } from './refusals.ts';
import { fieldNames } from './state.ts';

const FIRST_ID = 700_000_000_000_001;
const templates = demoTemplates.map((template, index) => {
  return { ...template, id: String(FIRST_ID + index), parameter_format: 'POSITIONAL' };
});
type Template = (typeof templates)[number];

const defaultFields = ['name', 'parameter_format', 'components', 'language', 'status', 'category', 'id'];
/** Known to the platform, which omits them for these templates. */
const otherFields = [
  ...['correct_category', 'cta_url_link_tracking_opted_out', 'degrees_of_freedom_spec', 'library_template_name'],
  ...['message_send_ttl_seconds', 'previous_category', 'quality_score', 'rejected_reason', 'sub_category'],
];
const filters = ['name', 'language', 'status', 'category'] as const;

interface TemplateQuery {
  readonly values: JsonObject;
  readonly url: string;
  readonly token: string;
}

export function templatePage({ values, url, token }: TemplateQuery): JsonObject {
  const fields = templateFields(values);
  const found = templates.filter((template) => filters.every((name) => fits(template[name], values[name])));
  const present = (template: Template): JsonObject =>
    Object.fromEntries(Object.entries(template).filter(([name]) => fields.has(name)));
  const parameters = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const page = pageOf(found, { parameters, url, token, present });
  if (values['summary'] === undefined) return page;
  const counts = { total_count: found.length, message_template_count: found.length, message_template_limit: 250 };
  return { ...page, summary: { ...counts, are_translations_complete: true } };
}

export function checkTemplate(message: JsonObject): void {
  const language = textAt(objectAt(message, 'language') ?? {}, 'code');
  const template = templates.find((each) => each.name === message['name'] && each.language === language);
  if (!template) {
    const details = `template name (${String(message['name'])}) does not exist in ${language}`;
    throw new Refusal({ ...messagingRefusals.noTemplate, details });
  }
  if (template.status !== 'APPROVED') throw new Refusal(messagingRefusals.pausedTemplate);
  for (const type of ['header', 'body']) {
    const expected = expectedCount(template, type);
    const actual = actualCount(message, type);
    if (expected === actual) continue;
    const details = `${type}: number of params (${actual}) does not match the expected number of params (${expected})`;
    throw new Refusal({ ...messagingRefusals.templateParameters, details });
  }
}

/** Counts distinct placeholders; media headers take one parameter. */
function expectedCount({ components }: Template, type: string): number {
  const component = components.find((each) => String(each['type']).toLowerCase() === type);
  if (!component) return 0;
  if ((textAt(component, 'format') ?? 'TEXT') !== 'TEXT') return 1;
  return new Set((textAt(component, 'text') ?? '').match(/\{\{\s*\w+\s*\}\}/g)).size;
}

function actualCount(message: JsonObject, type: string): number {
  const components = (listAt(message, 'components') ?? []).filter(isObject);
  const component = components.find((each) => String(each['type']).toLowerCase() === type);
  return component ? (listAt(component, 'parameters') ?? []).length : 0;
}

function templateFields(values: JsonObject): ReadonlySet<string> {
  const names = fieldNames(values);
  if (names === undefined) return new Set(defaultFields);
  const unknown = names.find((name) => !defaultFields.includes(name) && !otherFields.includes(name));
  if (unknown !== undefined) throw unknownField(unknown);
  return new Set([...names, 'id']);
}

function fits(value: string, wanted: unknown): boolean {
  return wanted === undefined || (typeof wanted === 'string' && value.toLowerCase() === wanted.toLowerCase());
}
