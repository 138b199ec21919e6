import { pathToFileURL } from 'node:url';
import ava, { type ExecutionContext } from 'ava';
import { declareLater, fileBeingLoaded, inSlot } from './run-batch.ts';

/**
 * Stands for the module `ava` in a process that runs a batch (`run-batch.ts`): keeps what the files declare until the batch
 * is complete, and adds the file to the titles, which AVA wants to be unique in a process.
 */

export { registerCompletionHandler } from 'ava';

type Declare = (...args: unknown[]) => void;
type Implementation = (t: ExecutionContext, ...args: unknown[]) => unknown;
interface Macro {
  readonly exec: Implementation;
  readonly title?: (given: string | undefined, ...args: unknown[]) => string;
}

const hooks: ReadonlySet<string> = new Set(['before', 'after', 'beforeEach', 'afterEach']);
const meta = {
  get file(): string {
    return pathToFileURL(fileBeingLoaded()).href;
  },
};

export default chain([]);

function chain(flags: readonly string[]): typeof ava {
  const declare: Declare = (...args) => {
    const declared = flags.reduce<unknown>((target, flag) => Reflect.get(target as object, flag), ava) as Declare;
    const given = flags.some((flag) => hooks.has(flag)) ? args : asTest(args);
    declareLater(() => declared(...given));
  };
  return new Proxy(declare, {
    get: (_target, flag) => {
      if (flag === 'meta') return meta;
      return flag === 'macro' ? ava.macro : chain([...flags, String(flag)]);
    },
  }) as unknown as typeof ava;
}

function asTest([first, ...others]: readonly unknown[]): unknown[] {
  const [title, implementation, args] =
    typeof first === 'string' ? [first, others[0], others.slice(1)] : [undefined, first, others];
  const { exec, title: macroTitle } = asMacro(implementation as Implementation | Macro);
  return [`${fileBeingLoaded()} › ${macroTitle?.(title, ...args) ?? title}`, inSlot(exec), ...args];
}

function asMacro(implementation: Implementation | Macro): Macro {
  return typeof implementation === 'function' ? { exec: implementation } : implementation;
}
