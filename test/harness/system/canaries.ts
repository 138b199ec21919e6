import type { Client } from '@temporalio/client';

/** Secrets by name. Each must be a text that can't occur in a log by chance. */
export type Canaries = Readonly<Record<string, string>>;

/** Also finds secrets as base64. */
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

export async function workflowTexts(temporal: Client): Promise<{ workflowId: string; text: string }[]> {
  const texts: { workflowId: string; text: string }[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const handle = temporal.workflow.getHandle(workflowId, runId);
    const { raw } = await handle.describe();
    texts.push({ workflowId, text: [raw, await handle.fetchHistory()].flatMap(textsWithin).join('\n') });
  }
  return texts;
}

function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (Array.isArray(value)) return value.flatMap(textsWithin);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsWithin(inner)]);
}

export interface Shown {
  readonly lines: readonly string[];
  readonly workflows: Awaited<ReturnType<typeof workflowTexts>>;
}

/** What logs and workflows show, with its place. */
export function shownTexts({ lines, workflows }: Shown): { place: string; text: string }[] {
  return [
    ...lines.map((text) => ({ place: 'a log line', text })),
    ...workflows.map(({ workflowId, text }) => ({ place: workflowId, text })),
  ];
}
