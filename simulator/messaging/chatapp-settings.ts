import type { CallTable } from '../scripted-api/api.ts';
import { listAt, objectAt, textAt } from '../scripted-api/parameters.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { bodyOf, chatappWord, defaultWord, done, type MessagingState, type NumberSettings } from './state.ts';
import type { MessagingTypes } from './subject.ts';

function settingsOf({ numberSettings }: MessagingState, id: string): NumberSettings {
  const known = numberSettings.get(id);
  if (known) return known;
  const fresh = { blocked: new Set<string>(), shop: { catalog: false, cart: true }, links: new Map(), automation: {} };
  numberSettings.set(id, fresh);
  return fresh;
}

const MAX_BLOCKED_AT_ONCE = 1_000;
const MAX_LINK_TEXT = 140;
const MAX_PROMPTS = 4;
const MAX_COMMANDS = 30;

export function settingsCalls(state: MessagingState): CallTable<MessagingTypes> {
  const of = (id: string): NumberSettings => settingsOf(state, id);
  const wordOf = (values: JsonObject): string => chatappWord(values, state.script.settings());
  return {
    'GET block_users': {
      at: 'settings',
      perform: ({ target }) =>
        done({
          data: [...of(target.id).blocked].map((id) => ({
            messaging_product: defaultWord(state.script.settings()),
            wa_id: id,
          })),
        }),
    },
    'POST block_users': {
      at: 'settings',
      perform: ({ target, parameters: { values } }) => {
        const word = wordOf(values);
        const users = usersIn(values);
        for (const user of users) of(target.id).blocked.add(digitsOf(user));
        return done({ messaging_product: word, block_users: { added_users: users.map(namedUser) } });
      },
    },
    'DELETE block_users': {
      at: 'settings',
      perform: ({ target, parameters: { values } }) => {
        const word = wordOf(values);
        const users = usersIn(values);
        for (const user of users) of(target.id).blocked.delete(digitsOf(user));
        return done({ messaging_product: word, block_users: { removed_users: users.map(namedUser) } });
      },
    },
    'GET whatsapp_commerce_settings': {
      at: 'settings',
      perform: ({ target }) => done({ data: [presentShop(target.id, of(target.id))] }),
    },
    'POST whatsapp_commerce_settings': {
      at: 'settings',
      perform: ({ target, parameters: { values } }) => {
        const { shop } = of(target.id);
        shop.catalog = flagIn(values, 'is_catalog_visible') ?? shop.catalog;
        shop.cart = flagIn(values, 'is_cart_enabled') ?? shop.cart;
        return done({ success: true });
      },
    },
    'GET message_qrdls': {
      at: 'settings',
      perform: ({ target }) => done({ data: [...of(target.id).links].map(presentLink) }),
    },
    'POST message_qrdls': {
      at: 'settings',
      perform: ({ target, parameters: { values } }) => {
        const { links } = of(target.id);
        const text = textAt(values, 'prefilled_message');
        if (!text || [...text].length > MAX_LINK_TEXT) throw invalidParameter(`Param prefilled_message must have 1 to ${MAX_LINK_TEXT} characters.`); // prettier-ignore
        const code = textAt(values, 'code') ?? codeOf(links.size);
        if (textAt(values, 'code') !== undefined && !links.has(code)) throw invalidParameter('Param code is unknown.');
        links.set(code, text);
        return done(presentLink([code, text]));
      },
    },
    'GET conversational_automation': {
      at: 'settings',
      perform: ({ target }) => done({ ...of(target.id).automation, id: target.id }),
    },
    'POST conversational_automation': {
      at: 'settings',
      perform: ({ target, parameters }) => {
        const body = bodyOf(parameters);
        checkAutomation(body);
        Object.assign(of(target.id), { automation: { ...of(target.id).automation, ...body } });
        return done({ success: true });
      },
    },
  };
}

function usersIn(values: JsonObject): string[] {
  const users = (listAt(values, 'block_users') ?? []).map((each) => textAt(objectAt({ each }, 'each') ?? {}, 'user'));
  const named = users.filter((user) => user !== undefined);
  if (named.length === 0 || named.length !== users.length || named.length > MAX_BLOCKED_AT_ONCE) {
    throw invalidParameter('Param block_users must be a list of objects with a user.');
  }
  return named;
}

const digitsOf = (user: string): string => user.replace(/\D/g, '');
const namedUser = (user: string): JsonObject => ({ input: user, wa_id: digitsOf(user) });

function flagIn(values: JsonObject, name: string): boolean | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (![true, false, 'true', 'false'].includes(value as string | boolean)) {
    throw invalidParameter(`Param ${name} must be a boolean.`);
  }
  return String(value) === 'true';
}

function presentShop(id: string, { shop }: NumberSettings): JsonObject {
  return { is_cart_enabled: shop.cart, is_catalog_visible: shop.catalog, id };
}

const codeOf = (count: number): string => `CODE${String(count + 1).padStart(10, '0')}`;

function presentLink([code, text]: readonly [string, string]): JsonObject {
  return { code, prefilled_message: text, deep_link_url: `https://links.example/message/${code}` };
}

function checkAutomation(body: JsonObject): void {
  const [prompts, commands] = [listAt(body, 'prompts') ?? [], listAt(body, 'commands') ?? []];
  flagIn(body, 'enable_welcome_message');
  if (prompts.length > MAX_PROMPTS) throw invalidParameter(`Param prompts must have at most ${MAX_PROMPTS} items.`);
  if (commands.length > MAX_COMMANDS) throw invalidParameter(`Param commands must have at most ${MAX_COMMANDS} items.`);
}
