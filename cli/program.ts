import { Command, CommanderError } from 'commander';
import { commandGroups } from './command-groups.ts';
import { exitCodes, type Failure, failureOf } from './terminal/failures.ts';
import { version } from '../contract/version.ts';
import { createOutput, hasColours } from './terminal/output.ts';
import { probeLines } from './webhooks/probe-lines.ts';
import { actIn } from './commands/run.ts';
import type { World } from './terminal/world.ts';

const DESCRIPTION = `Manage messaging channels, webhooks and deliveries.

Flags override environment variables (BASE_URL, SERVICE_API_KEY, SERVICE_WORKSPACE_ID, SERVICE_ORGANIZATION_ID, CHANNELS_PROFILE), which override the profile that \`channels login\` saves.`;
const EXIT_CODES = `
Exit codes: 0 success, 1 failure, 2 invalid input, 3 forbidden, 4 not signed in, 5 no response, 6 conflict or rate limit`;

export function createProgram(world: World, { isJson = false }: { isJson?: boolean } = {}): Command {
  const program = new Command('channels')
    .description(DESCRIPTION)
    .version(version)
    .option('--json', 'print the result as one JSON document')
    .option('--base-url <url>', 'base URL of the service')
    .option('--workspace <id>', 'workspace to use; required if the credential has access to several')
    .option('--organization <id>', 'organization to use; required if the credential has access to several')
    .option('--profile <name>', 'profile to use instead of the current one')
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
    // With --json, `runProgram` prints errors as JSON.
    writeErr: (text: string) => void (isJson || stderr.write(text)),
    getOutHelpWidth: () => stdout.columns ?? 80,
    getErrHelpWidth: () => stderr.columns ?? 80,
    getOutHasColors: () => hasColours(world),
    getErrHasColors: () => false,
  };
}

export async function runProgram(world: World, args: readonly string[]): Promise<number> {
  // Checked before parsing, which may itself fail.
  const isJson = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).includes('--json');
  try {
    await createProgram(world, { isJson }).parseAsync([...args], { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (world.signal.aborted) return exitCodes.interrupted;
    const failure = failureOf(error);
    if (isJson && failure.exitCode !== exitCodes.ok) reportJson(world, failure);
    // Commander has already printed its own error or the help.
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
