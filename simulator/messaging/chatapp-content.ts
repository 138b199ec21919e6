import { isObject, listAt, objectAt, textAt } from '../scripted-api/parameters.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';
import { invalidValue, missingParameter } from './refusals.ts';
import type { JsonObject } from '../webhooks/item.ts';

export interface ContentContext {
  readonly hasMedia: (id: string) => boolean;
  readonly checkTemplate: (template: JsonObject) => void;
}

const MAX_TEXT = 4_096;
const MAX_CAPTION = 1_024;

type Check = (content: JsonObject, context: ContentContext) => void;

const checks: Readonly<Record<string, Check>> = {
  text: (text) => limited(required(text, 'text.body', 'body'), { name: "text['body']", max: MAX_TEXT }),
  image: (image, context) => checkMedia('image', image, context),
  video: (video, context) => checkMedia('video', video, context),
  document: (document, context) => checkMedia('document', document, context),
  audio: (audio, context) => checkMedia('audio', audio, context),
  sticker: (sticker, context) => checkMedia('sticker', sticker, context),
  location: (location) => {
    checkDegrees(location, 'latitude', 90);
    checkDegrees(location, 'longitude', 180);
  },
  reaction(reaction) {
    required(reaction, 'reaction.message_id', 'message_id');
    // Empty text removes the reaction.
    if (typeof reaction['emoji'] !== 'string') throw missingParameter('reaction.emoji');
  },
  interactive: checkInteractive,
  template(template, { checkTemplate }) {
    required(template, 'template.name', 'name');
    required(objectAt(template, 'language') ?? {}, 'template.language.code', 'code');
    checkTemplate(template);
  },
};

export function checkContent(body: JsonObject, context: ContentContext): { readonly type: string } {
  const type = textAt(body, 'type') ?? 'text';
  if (type === 'contacts') {
    checkContacts(body);
    return { type };
  }
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined;
  if (!check) {
    const details = `Message type ${type} is not supported.`;
    throw new Refusal({ code: 131051, message: '(#131051) Unsupported message type', details });
  }
  const content = objectAt(body, type);
  if (!content) throw missingParameter(type);
  check(content, context);
  return { type };
}

function checkMedia(type: string, media: JsonObject, { hasMedia }: ContentContext): void {
  const id = textAt(media, 'id');
  const link = textAt(media, 'link');
  if (id === undefined && link === undefined) throw missingParameter(`${type}.id or ${type}.link`);
  if (id !== undefined && link !== undefined)
    throw invalidParameter(`Only one of ${type}.id and ${type}.link is allowed.`);
  if (link !== undefined && !isAddress(link)) throw invalidValue(`${type}.link is not a valid URI.`);
  if (id !== undefined && !hasMedia(id)) throw invalidValue(`There is no media with the id ${id}.`);
  const caption = media['caption'];
  if (caption === undefined) return;
  if (type === 'audio' || type === 'sticker') throw invalidParameter(`Unexpected key "caption" on param "${type}".`);
  limited(String(caption), { name: `${type}['caption']`, max: MAX_CAPTION });
}

function checkDegrees(location: JsonObject, name: string, max: number): void {
  const value = location[name];
  if (value === undefined) throw missingParameter(`location.${name}`);
  const degrees = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof degrees !== 'number' || !(Math.abs(degrees) <= max))
    throw invalidValue(`location.${name} is out of range.`);
}

function checkContacts(body: JsonObject): void {
  const contacts = listAt(body, 'contacts');
  if (!contacts || contacts.length === 0) throw missingParameter('contacts');
  for (const contact of contacts) {
    if (!isObject(contact)) throw invalidValue('contacts holds something that is no contact.');
    required(objectAt(contact, 'name') ?? {}, 'contacts.name.formatted_name', 'formatted_name');
  }
}

const interactiveTypes = [
  ...['button', 'list', 'cta_url', 'flow', 'product', 'product_list', 'catalog_message'],
  ...['location_request_message', 'address_message', 'carousel', 'call_permission_request', 'voice_call'],
];
const withoutBody = ['product', 'carousel', 'call_permission_request'];

function checkInteractive(interactive: JsonObject): void {
  const type = required(interactive, 'interactive.type', 'type');
  if (!interactiveTypes.includes(type)) throw invalidValue(`interactive.type ${type} is not supported.`);
  const action = objectAt(interactive, 'action');
  if (!action) throw missingParameter('interactive.action');
  if (!withoutBody.includes(type)) required(objectAt(interactive, 'body') ?? {}, 'interactive.body.text', 'text');
  if (type === 'button') checkButtons(listAt(action, 'buttons'));
  if (type === 'list') checkSections(action);
}

function checkButtons(buttons: readonly unknown[] = []): void {
  if (buttons.length < 1 || buttons.length > 3) throw invalidValue('A message has one to three reply buttons.');
  const replies = buttons.map((button) => (isObject(button) ? objectAt(button, 'reply') : undefined));
  for (const reply of replies) {
    required(reply ?? {}, 'interactive.action.buttons.reply.id', 'id');
    limited(required(reply ?? {}, 'interactive.action.buttons.reply.title', 'title'), { name: 'title', max: 20 });
  }
  if (new Set(replies.map((reply) => reply?.['id'])).size < replies.length)
    throw invalidValue('Two buttons have the same id.');
}

function checkSections(action: JsonObject): void {
  limited(required(action, 'interactive.action.button', 'button'), { name: 'button', max: 20 });
  const sections = listAt(action, 'sections') ?? [];
  const rows = sections.flatMap((section) => (isObject(section) ? (listAt(section, 'rows') ?? []) : []));
  if (rows.length < 1 || rows.length > 10) throw invalidValue('A list has one to ten rows.');
}

function required(values: JsonObject, shownName: string, name: string): string {
  const text = textAt(values, name);
  if (text === undefined) throw missingParameter(shownName);
  return text;
}

function limited(text: string, { name, max }: { name: string; max: number }): void {
  if ([...text].length > max) throw invalidParameter(`Param ${name} must be at most ${max} characters long.`);
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
