import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { Batch } from './plan.ts';

type Implementation = (t: ExecutionContext, ...args: unknown[]) => unknown;

const root = join(import.meta.dirname, '../..');
const declarations: (() => void)[] = [];
const waiting: (() => void)[] = [];
const declared = new URL('./declared.ts', import.meta.url).href;
const tests = new URL('../../test/', import.meta.url).href;
let freeSlots = 0;
let loading = '';

/** Files in `test/` import declared.ts instead of AVA. */
registerHooks({
  resolve(specifier, context, next) {
    const isInTest = specifier === 'ava' && context.parentURL?.startsWith(tests);
    return isInTest ? { url: declared, format: 'module-typescript', shortCircuit: true } : next(specifier, context);
  },
});

/** Returns the path of the file whose tests are being declared, relative to the project's root. */
export function fileBeingLoaded(): string {
  return loading;
}

/** Declares a test or hook when all files of the batch are loaded. AVA starts the first of them at once. */
export function declareLater(declare: () => void): void {
  declarations.push(declare);
}

/** Keeps a test waiting while as many as the batch allows run. Its teardowns are part of it. */
export function inSlot(implementation: Implementation): Implementation {
  return async (t, ...args) => {
    await takeSlot();
    // Otherwise tests that never wait would run in one turn, in which connections and timers of the others expire.
    await setImmediate();
    // AVA runs teardowns last in, first out.
    t.teardown(releaseSlot);
    await implementation(t, ...args);
  };
}

async function takeSlot(): Promise<void> {
  if (freeSlots > 0) freeSlots -= 1;
  else await new Promise<void>((resolve) => void waiting.push(resolve));
}

function releaseSlot(): void {
  const next = waiting.shift();
  if (next) next();
  else freeSlots += 1;
}

/** Runs the tests of many files in this process, as AVA would run them in one process for each file. */
export async function runBatch({ files, slots }: Pick<Batch, 'files' | 'slots'>): Promise<void> {
  freeSlots = slots;
  for (const file of files) {
    const before = declarations.length;
    loading = file;
    await import(pathToFileURL(join(root, file)).href);
    if (declarations.length === before) throw new Error(`${file} declares no test`);
  }
  for (const declare of declarations) declare();
}
