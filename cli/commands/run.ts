import type { Command } from 'commander';
import { openConnection, type Connection } from '../profiles/connection.ts';
import { createOutput, type Output } from '../terminal/output.ts';
import { loadJsonFilter } from '../terminal/json-filter.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { type GlobalOptions, resolveSettings, type Settings } from '../profiles/settings.ts';
import type { World } from '../terminal/world.ts';

export interface Run extends Connection {
  readonly world: World;
  readonly settings: Settings;
  readonly output: Output;
  readonly progress: Progress;
}

export type Act = <Operands extends unknown[]>(
  body: (run: Run, ...operands: Operands) => Promise<void>,
) => (...all: [...Operands, Command]) => Promise<void>;

export function actIn(world: World): Act {
  return <Operands extends unknown[]>(body: (run: Run, ...operands: Operands) => Promise<void>) =>
    async (...all: [...Operands, Command]) => {
      const command = all.at(-1) as Command;
      const operands = all.slice(0, -1) as Operands;
      const run = await createRun(world, command.optsWithGlobals<GlobalOptions>());
      try {
        await body(run, ...operands);
      } finally {
        run.progress.end();
      }
    };
}

async function createRun(world: World, options: GlobalOptions): Promise<Run> {
  const settings = await resolveSettings(world, options);
  const filter = options.jq === undefined ? undefined : await loadJsonFilter(options.jq);
  const isJson = options.json === true || filter !== undefined;
  const output = createOutput(world, { isJson, filter });
  return {
    ...openConnection({ world, settings, note: output.note }),
    world,
    settings,
    output,
    progress: createProgress(world, { isQuiet: isJson }),
  };
}
