import { createInterface } from 'node:readline/promises';
import { usageError } from './failures.ts';
import type { World } from './world.ts';

export function canAsk({ stdin, stderr }: Pick<World, 'stdin' | 'stderr'>): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

export async function ask(world: World, question: string): Promise<string> {
  world.stderr.write(question);
  const lines = createInterface({ input: world.stdin, terminal: false });
  try {
    for await (const line of linesUntil(lines, world.signal)) return line.trim();
    throw usageError('The input ended before you answered.');
  } finally {
    lines.close();
  }
}

async function* linesUntil(lines: ReturnType<typeof createInterface>, signal: AbortSignal): AsyncGenerator<string> {
  const close = (): void => lines.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    for await (const line of lines) yield line;
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/** Throws if declined or without a terminal, unless `yes` is set. */
export async function confirm(
  world: World,
  question: string,
  { yes = false }: { yes?: boolean | undefined },
): Promise<void> {
  if (yes) return;
  if (!canAsk(world)) throw usageError(`${question} Standard input is not a terminal.`, 'Add --yes to confirm.');
  const answer = await ask(world, `${question} [y/N] `);
  if (!/^y(?:es)?$/i.test(answer)) throw usageError('Aborted. Nothing was changed.');
}

/** Arguments are visible to other users. */
export async function readSecretLine(
  { stdin, signal }: Pick<World, 'stdin' | 'signal'>,
  what: string,
): Promise<string> {
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    for await (const line of linesUntil(lines, signal)) {
      if (line.trim() !== '') return line.trim();
    }
  } finally {
    lines.close();
  }
  throw usageError(`Standard input contains no ${what}.`);
}

export async function readAll(stdin: World['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
