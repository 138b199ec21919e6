import type { Client } from '@temporalio/client';

/** Secrets by what they are; each must be unlike anything that may stand in a log for good reason. */
export type Canaries = Readonly<Record<string, string>>;

/** Names of the secrets that a text holds, plain or as base64, with the place where. */
export function findCanaries(canaries: Canaries, { place, text }: { place: string; text: string }): string[] {
  const forms = (secret: string): string[] => [
    secret,
    Buffer.from(secret)
      .toString('base64')
      .replace(/.={0,2}$/, ''),
  ];
  const found = Object.entries(canaries).filter(([, secret]) => forms(secret).some((form) => text.includes(form)));
  return found.map(([name]) => `${name} in ${place}: ${text.slice(0, 300)}`);
}

/** All that Temporal keeps of every workflow of the namespace, one text a workflow. */
export async function workflowTexts(temporal: Client): Promise<{ workflowId: string; text: string }[]> {
  const texts: { workflowId: string; text: string }[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const handle = temporal.workflow.getHandle(workflowId, runId);
    const { raw } = await handle.describe();
    texts.push({ workflowId, text: [raw, await handle.fetchHistory()].flatMap(textsWithin).join('\n') });
  }
  return texts;
}

/** Every text in a value, keys included; bytes are read as text, which is what payloads are. */
function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (Array.isArray(value)) return value.flatMap(textsWithin);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsWithin(inner)]);
}
