import { z } from 'zod';
import type { ChannelType, EventType } from '../../contract/event-types.ts';
import { sampleEnvelope } from '../../contract/webhooks/sample-event.ts';

/**
 * What a delivery of each type holds. The schemas are permissive, because the platform may add fields at any time and
 * the service passes them on.
 */
export interface EventEntry {
  readonly summary: string;
  readonly schema: z.ZodType;
  readonly example: object;
}

const id = z.string();
const party = z.looseObject({ id });
const numberOrText = z.union([z.string(), z.number()]);

function envelope(product: ChannelType, entry: z.ZodRawShape): z.ZodType {
  const object = z.string().describe(`\`${product}\`, or the platform's own word.`);
  return z.looseObject({ object, entry: z.array(z.looseObject({ id, ...entry })).length(1) });
}

const metadata = z.looseObject({ phone_number_id: id, display_phone_number: z.string().optional() });

function chatapp(value: z.ZodRawShape): z.ZodType {
  const item = z.looseObject({ field: z.string(), value: z.looseObject({ metadata: metadata.optional(), ...value }) });
  return envelope('chatapp', { changes: z.array(item).length(1) });
}

/** `standby` has copies that arrive while another application holds the conversation. */
function messaging(product: ChannelType, part: z.ZodRawShape): z.ZodType {
  const parties = { sender: party, recipient: party, timestamp: numberOrText };
  const items = z.array(z.looseObject({ ...parties, ...part })).length(1);
  return envelope(product, { time: numberOrText, messaging: items.optional(), standby: items.optional() });
}

function change(product: ChannelType, value: z.ZodRawShape): z.ZodType {
  const item = z.looseObject({ field: z.string(), value: z.looseObject(value) });
  return envelope(product, { time: numberOrText.optional(), changes: z.array(item).length(1) });
}

/** Comments come as a list of changes, or with the change in the entry itself. */
const photoComment = (() => {
  const comment = z.looseObject({ id, text: z.string().optional(), from: party.optional(), media: party.optional() });
  const item = z.looseObject({ field: z.string(), value: comment });
  const changes = z.array(item).length(1).optional();
  return envelope('photoapp', { changes, field: z.string().optional(), value: comment.optional() });
})();

const message = z.looseObject({ mid: id, text: z.string().optional() });
const feedFields = { from: party.optional(), item: z.string(), post_id: id.optional(), verb: z.string().optional() };

const entries: Readonly<Record<EventType, Omit<EventEntry, 'example'>>> = {
  'chatapp.message.received': {
    summary: 'A person sent a message to a number.',
    schema: chatapp({ messages: z.array(z.looseObject({ id, from: id.optional(), type: z.string() })).length(1) }),
  },
  'chatapp.message.status': {
    summary: 'A message of the number was sent, delivered, read or has failed.',
    schema: chatapp({ statuses: z.array(z.looseObject({ id, status: z.string() })).length(1) }),
  },
  'chatapp.other.received': {
    summary: 'Anything else about a number, such as calls, or about its business account, such as templates.',
    schema: envelope('chatapp', { changes: z.array(z.looseObject({ field: z.string() })).length(1) }),
  },
  'photoapp.message.received': {
    summary: 'A person sent a message to an account, or the account sent one elsewhere (an echo).',
    schema: messaging('photoapp', { message }),
  },
  'photoapp.comment.received': { summary: 'A person commented on a post of an account.', schema: photoComment },
  'photoapp.other.received': {
    summary: 'Anything else about an account, such as reactions, reads and postbacks.',
    schema: envelope('photoapp', {}),
  },
  'pageapp.message.received': {
    summary: 'A person sent a message to a Page, or the Page sent one elsewhere (an echo).',
    schema: messaging('pageapp', { message }),
  },
  'pageapp.message.reaction': {
    summary: 'A person reacted to a message, or removed the reaction.',
    schema: messaging('pageapp', { reaction: z.looseObject({ mid: id.optional(), action: z.string() }) }),
  },
  'pageapp.message.read': {
    summary: 'A person has read all messages up to a time.',
    schema: messaging('pageapp', { read: z.looseObject({ watermark: numberOrText.optional() }) }),
  },
  'pageapp.message.delivered': {
    summary: 'Messages of the Page have arrived.',
    schema: messaging('pageapp', {
      delivery: z.looseObject({ mids: z.array(id).optional(), watermark: numberOrText.optional() }),
    }),
  },
  'pageapp.postback.received': {
    summary: 'A person pressed a button.',
    schema: messaging('pageapp', { postback: z.looseObject({ payload: z.string().optional() }) }),
  },
  'pageapp.comment.received': {
    summary: 'A comment on a post of a Page was added, edited or removed.',
    schema: change('pageapp', { ...feedFields, comment_id: id }),
  },
  'pageapp.post.changed': {
    summary: 'A post of a Page was added, edited, removed or reacted to.',
    schema: change('pageapp', feedFields),
  },
  'pageapp.other.received': { summary: 'Anything else about a Page.', schema: envelope('pageapp', {}) },
};

const exampleResources: Readonly<Record<ChannelType, string>> = {
  chatapp: '100000000000001',
  photoapp: '200000000000001',
  pageapp: '300000000000001',
};
const EXAMPLE_AT_MS = Date.UTC(2026, 0, 31, 8);

export const eventCatalogue = Object.fromEntries(
  Object.entries(entries).map(([eventType, entry]) => {
    const type = eventType as EventType;
    const resourceId = exampleResources[type.slice(0, type.indexOf('.')) as ChannelType];
    return [
      type,
      { ...entry, example: sampleEnvelope({ eventType: type, resourceId, nonce: '1', atMs: EXAMPLE_AT_MS }) },
    ];
  }),
) as Readonly<Record<EventType, EventEntry>>;
