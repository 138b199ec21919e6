import type { CallDefinition, CallTable } from '../scripted-api/api.ts';
import { isObject, listAt, objectAt, parseJson, textAt } from '../scripted-api/parameters.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { newNumericId } from '../webhooks/platform-ids.ts';
import { bodyOf, done, type MessagingState } from './state.ts';
import type { MessagingTypes } from './subject.ts';

export const directEdges: ReadonlySet<string> = new Set([
  ...['messenger_profile', 'welcome_message_flows', 'message_attachments'],
]);

/** What Pages and photo accounts store: greetings and menus, welcome flows, and attachments for reuse. */
export function directSettingsCalls({ profiles, flows }: MessagingState): CallTable<MessagingTypes> {
  const setting = (perform: (account: string, values: JsonObject) => JsonObject): CallDefinition<MessagingTypes> => ({
    at: 'settings',
    perform: ({ target, parameters }) => done(perform(target.id, bodyOf(parameters))),
  });
  const flowsOf = (account: string) => flows.get(account) ?? [];

  return {
    'GET messenger_profile': setting((account, values) => {
      const names = fieldNames(values);
      const shown = Object.entries(profiles.get(account) ?? {}).filter(([name]) => names.includes(name));
      return { data: shown.length === 0 ? [] : [Object.fromEntries(shown)] };
    }),
    'POST messenger_profile': setting((account, { platform: _platform, ...changes }) => {
      if (Object.keys(changes).length === 0) throw invalidParameter('Requires one of the fields of the profile.');
      profiles.set(account, { ...profiles.get(account), ...changes });
      return { result: 'success' };
    }),
    'DELETE messenger_profile': setting((account, values) => {
      const names = fieldNames(values);
      const kept = Object.entries(profiles.get(account) ?? {}).filter(([name]) => !names.includes(name));
      profiles.set(account, Object.fromEntries(kept));
      return { result: 'success' };
    }),
    'GET welcome_message_flows': setting((account, { flow_id: wanted }) => ({
      data: flowsOf(account).filter(({ id }) => (wanted ?? id) === id),
    })),
    'POST welcome_message_flows': setting((account, { flow_id: known, ...changes }) => {
      const old = flowsOf(account).find(({ id }) => id === known);
      const flow: JsonObject = { ...old, ...changes, id: old?.['id'] ?? newNumericId() };
      if (flow['name'] === undefined) throw invalidParameter('The parameter name is required.');
      flows.set(account, [...flowsOf(account).filter((each) => each !== old), flow]);
      return old ? { success: true } : { flow_id: flow['id'] };
    }),
    'DELETE welcome_message_flows': setting((account, { flow_id: wanted }) => {
      const kept = flowsOf(account).filter(({ id }) => id !== wanted);
      if (kept.length === flowsOf(account).length) throw invalidParameter('Param flow_id must name a flow.');
      flows.set(account, kept);
      return { success: true };
    }),
    'POST message_attachments': {
      at: 'upload',
      perform: ({ parameters: { values, files } }) => {
        // JSON text beside a file.
        const parsed = parseJson(textAt(values, 'message') ?? '');
        const message = objectAt(values, 'message') ?? (isObject(parsed) ? parsed : {});
        const { type, payload } = objectAt(message, 'attachment') ?? {};
        const hasUrl = textAt(objectAt({ payload }, 'payload') ?? {}, 'url') !== undefined;
        if (type === undefined || !(hasUrl || files.has('filedata'))) {
          throw invalidParameter('An attachment needs a type, and a url or filedata.');
        }
        return done({ attachment_id: newNumericId() });
      },
    },
  };
}

/** Takes a list, its JSON text, or names with commas. */
function fieldNames(values: JsonObject): readonly unknown[] {
  const text = textAt(values, 'fields') ?? '';
  const names = listAt(values, 'fields') ?? (text.startsWith('[') ? parseJson(text) : text.split(','));
  if (!Array.isArray(names) || names[0] === '') throw invalidParameter('The parameter fields is required.');
  return names;
}
