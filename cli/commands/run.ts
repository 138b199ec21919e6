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
  /** For completion. */
  readonly program: Command;
}

export async function createRun(world: World, command: Command): Promise<Run> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const settings = await resolveSettings(world, options);
  const filter = options.jq === undefined ? undefined : await loadJsonFilter(options.jq);
  const isJson = options.json === true || filter !== undefined;
  const output = createOutput(world, { isJson, filter });
  const progress = createProgress(world, { isQuiet: isJson });
  return {
    ...openConnection({ world, settings, note: output.note }),
    world,
    settings,
    output,
    progress,
    program: rootOf(command),
  };
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}
