import { Command, CommanderError } from 'commander';
import { entries } from './entries.ts';
import { exitCodes, type Failure, failureOf } from './terminal/failures.ts';
import { version } from '../contract/version.ts';
import { createOutput, hasColours } from './terminal/output.ts';
import { probeLines } from './webhooks/probe-lines.ts';
import { addEntries } from './commands/definition.ts';
import { safeBlock } from '../contract/text/safe-text.ts';
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
    .option('--jq <expression>', 'print what a jq expression selects from the JSON document')
    .option('--base-url <url>', 'base URL of the service')
    .option('--workspace <id>', 'workspace to use; required if the credential has access to several')
    .option('--organization <id>', 'organization to use; required if the credential has access to several')
    .option('--profile <name>', 'profile to use instead of the current one')
    .addHelpText('after', EXIT_CODES)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(outputOf(world, isJson))
    .exitOverride()
    .showHelpAfterError('  Add --help to see how to use the command.');
  addEntries(program, entries, { world, path: 'channels' });
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
    getErrHasColors: () => hasColours({ ...world, stdout: stderr }),
    outputError: (text: string, write: (text: string) => void) => write(asOwnError(world, text)),
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

/** What is wrong, what to do next, and what support needs to find the request. */
function report(world: World, { message, code, requestId, hint, probes = [] }: Failure): void {
  const { warn, paint } = createOutput({ ...world, stdout: world.stderr }, { isJson: false });
  const { stderr } = world;
  stderr.write(`${paint('bad', 'Error:')} ${safeBlock(message)}\n`);
  for (const line of probeLines(probes)) warn(`  ${line}`);
  if (hint !== null) warn(`  ${hint}`);
  const facts = [code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean);
  if (facts.length > 0) stderr.write(`  ${paint('quiet', safeBlock(facts.join(', ')))}\n`);
}

/** Gives the parser's errors the form of all others. */
function asOwnError(world: World, text: string): string {
  const { paint } = createOutput({ ...world, stdout: world.stderr }, { isJson: false });
  return text.replace(/^error: ([^\n]*)/, (_, message: string) => {
    const sentence = message.charAt(0).toUpperCase() + message.slice(1);
    return `${paint('bad', 'Error:')} ${/[.?!]$/.test(sentence) ? sentence : `${sentence}.`}`;
  });
}
