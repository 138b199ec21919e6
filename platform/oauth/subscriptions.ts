import { z } from 'zod';
import type { OnCall } from '../client/call-report.ts';
import type { PlatformClient } from '../client/client.ts';
import { essentialPageFields, subscribedAppField } from '../client/oauth-vocabulary.ts';
import { unlessRefused } from './grants.ts';

export interface Subscribing {
  /** A Page, or `me` with its token, or a business account. */
  readonly path: string;
  /** Null for a business account, whose fields are those of the app. */
  readonly fields: readonly string[] | null;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly onCall?: OnCall | undefined;
  /** Optional. Ends the search for the fields that are refused; the rest counts as refused. */
  readonly mayCall?: () => boolean;
}

const done = z.object({ success: z.literal(true) });

/**
 * Subscribes the app to the events of an account and returns the fields that the platform refuses. One such field makes
 * it refuse the whole call, so the others are found by halves. Throws if it refuses an essential field.
 */
export async function subscribeTo(client: PlatformClient, subscribing: Subscribing): Promise<readonly string[]> {
  const { path, fields, token, signal, onCall, mayCall = () => true } = subscribing;
  const call = { method: 'POST', path: `${path}/subscribed_apps`, token, signal, onCall } as const;
  const subscribe = (names: readonly string[]) =>
    client.once(done, { ...call, query: { subscribed_fields: names.join(',') } });
  if (fields === null) {
    await client.once(done, call);
    return [];
  }
  if (await unlessRefused(subscribe(fields))) return [];
  const essential = fields.filter((field) => essentialPageFields.includes(field));
  await subscribe(essential.length > 0 ? essential : fields);
  // A subscription replaces the former one, so each call names all fields that were accepted.
  const accepted = [...essential];
  const refused: string[] = [];
  const add = async (group: readonly string[]): Promise<void> => {
    const isAccepted = mayCall() && (await unlessRefused(subscribe([...accepted, ...group])));
    if (isAccepted) return void accepted.push(...group);
    if (group.length === 1 || !mayCall()) return void refused.push(...group);
    const half = Math.ceil(group.length / 2);
    await add(group.slice(0, half));
    await add(group.slice(half));
  };
  const others = fields.filter((field) => !essential.includes(field));
  const half = Math.ceil(others.length / 2);
  for (const group of [others.slice(0, half), others.slice(half)]) if (group.length > 0) await add(group);
  return refused;
}

const text = z.string().nullish().catch(null);
const apps = z.object({
  data: z.array(
    z.object({
      id: text,
      subscribed_fields: z.array(z.string().max(200)).max(500).nullish().catch(null),
      [subscribedAppField]: z.object({ id: text }).nullish().catch(null),
    }),
  ),
});

/** Returns the fields of the app's subscription, none if it has no subscription, or undefined if it is not shown. */
export async function readSubscription(
  client: PlatformClient,
  { path, token, signal, onCall, clientId }: Omit<Subscribing, 'fields'> & { readonly clientId: string },
): Promise<{ readonly isSubscribed: boolean; readonly fields: readonly string[] } | undefined> {
  const answer = await unlessRefused(client.once(apps, { path: `${path}/subscribed_apps`, token, signal, onCall }));
  if (!answer) return undefined;
  const own = answer.data.find(({ id, [subscribedAppField]: app }) => (app?.id ?? id) === clientId);
  return { isSubscribed: own !== undefined, fields: own?.subscribed_fields ?? [] };
}
