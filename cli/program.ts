import { Command, CommanderError } from 'commander';
import { commandGroups } from './command-groups.ts';
import { exitCodes, type Failure, failureOf } from './terminal/failures.ts';
import { createOutput, hasColours } from './terminal/output.ts';
import { probeLines } from './webhooks/probe-lines.ts';
import { actIn } from './commands/run.ts';
import type { World } from './terminal/world.ts';

const VERSION = '0.1.0';
const DESCRIPTION = `Connects, watches and repairs messaging channels.

Flags win over the environment (BASE_URL, SERVICE_API_KEY, SERVICE_WORKSPACE_ID, SERVICE_ORGANIZATION_ID, CHANNELS_PROFILE), and the environment wins over the profile that \`channels login\` writes.`;
const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong input, 3 forbidden, 4 not signed in, 5 no answer, 6 conflict or too many requests`;

/** The whole command line, over the world that it is given. */
export function createProgram(world: World, { isJson = false }: { isJson?: boolean } = {}): Command {
  const program = new Command('channels')
    .description(DESCRIPTION)
    .version(VERSION)
    .option('--json', 'answer with one JSON document')
    .option('--base-url <url>', 'where the service is')
    .option('--workspace <id>', 'the workspace, where the credential reaches several')
    .option('--organization <id>', 'the organization, where the credential reaches several')
    .option('--profile <name>', 'another set of credential and addresses than the current one')
    .addHelpText('after', EXIT_CODES)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(outputOf(world, isJson))
    .exitOverride()
    .showHelpAfterError('(see --help)');
  const act = actIn(world);
  for (const { heading, add } of commandGroups) {
    program.commandsGroup(heading);
    for (const addCommands of add) addCommands(program, act);
  }
  return program;
}

function outputOf(world: World, isJson: boolean) {
  const { stdout, stderr } = world;
  return {
    writeOut: (text: string) => void stdout.write(text),
    // With --json, what is wrong is said as JSON, below.
    writeErr: (text: string) => void (isJson || stderr.write(text)),
    getOutHelpWidth: () => stdout.columns ?? 80,
    getErrHelpWidth: () => stderr.columns ?? 80,
    getOutHasColors: () => hasColours(world),
    getErrHasColors: () => false,
  };
}

/** Runs one command line to its end and answers with the exit code. */
export async function runProgram(world: World, args: readonly string[]): Promise<number> {
  // Looked for by hand: whatever goes wrong may do so before the options are read.
  const isJson = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).includes('--json');
  try {
    await createProgram(world, { isJson }).parseAsync([...args], { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (world.signal.aborted) return exitCodes.interrupted;
    const failure = failureOf(error);
    if (isJson && failure.exitCode !== exitCodes.ok) reportJson(world, failure);
    // Commander has said its own by now: the wrong option, or the help that was asked for.
    else if (!(error instanceof CommanderError)) report(world, failure);
    return failure.exitCode;
  }
}

function reportJson(world: World, failure: Failure): void {
  createOutput({ ...world, stdout: world.stderr }, { isJson: true }).jsonLine({ error: failure });
}

function report(world: World, { message, code, requestId, hint, probes = [] }: Failure): void {
  const output = createOutput(world, { isJson: false });
  output.warn(`Error: ${message}`);
  const facts = [code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean);
  if (facts.length > 0) output.warn(`  ${facts.join(', ')}`);
  for (const line of probeLines(probes)) output.warn(`  ${line}`);
  if (hint !== null) output.warn(`  ${hint}`);
}
