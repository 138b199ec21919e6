import type { Command } from 'commander';
import { addCommand, readInput, collectValues, parseWholeNumber } from '../commands/arguments.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { readSecretLine } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { verify } from './verify.ts';

interface VerifyOptions {
  readonly body: string;
  readonly header?: readonly string[];
  readonly headers?: string;
  readonly secretStdin?: boolean;
  readonly tolerance: number;
  readonly ignoreTimestamp?: boolean;
}

/** The tolerance of the Standard Webhooks libraries. */
const TOLERANCE_SECONDS = 300;

export function addVerifySignature(program: Command, act: Act): void {
  addCommand(program, 'verify-signature', {
    summary: 'Verify delivery signatures offline with the secret in WEBHOOK_HMAC_SECRET',
    examples: [
      "channels verify-signature --body event.json --header 'x-service-signature-256: sha256=…'",
      'channels verify-signature --body event.json --headers headers.txt --secret-stdin < secret.txt',
      "channels verify-signature --header 'webhook-id: wd_…' --header 'webhook-timestamp: 1…' --header 'webhook-signature: v1,…' --ignore-timestamp < event.json",
    ],
  })
    .option('--body <file>', 'file with the exact request body; - reads standard input', '-')
    .option('--header <name: value>', 'header of the delivery; repeatable', collectValues)
    .option('--headers <file>', 'file with all headers, one per line')
    .option('--secret-stdin', 'read the secret from standard input')
    .option('--tolerance <seconds>', 'maximum age of the timestamp', parseWholeNumber, TOLERANCE_SECONDS)
    .option('--ignore-timestamp', 'skip the timestamp check')
    .action(act(verifySignature));
}

async function verifySignature({ world, output }: Run, options: VerifyOptions): Promise<void> {
  if (options.secretStdin && options.body === '-')
    throw usageError('--secret-stdin requires --body <file>: standard input has only one use.');
  const headers = await headersOf(world, options);
  const secret = options.secretStdin ? await readSecretLine(world, 'secret') : world.env['WEBHOOK_HMAC_SECRET'];
  if (!secret) throw usageError('Missing secret.', 'Set WEBHOOK_HMAC_SECRET, or use --secret-stdin.');
  if (!secret.startsWith('whsec_'))
    throw usageError('Invalid secret. It must start with whsec_.', 'Get it with `channels webhook hmac`.');
  const verdicts = verify({
    body: await readInput(world, options.body),
    ...{ secret, headers },
    nowMs: world.now(),
    toleranceSeconds: options.ignoreTimestamp ? undefined : options.tolerance,
  });
  if (verdicts.length === 0)
    throw usageError('Missing signature.', 'Use --header with x-service-signature-256 or webhook-signature.');
  const isValid = verdicts.every((verdict) => verdict.isValid);
  output.record(
    { isValid, signatures: verdicts },
    verdicts.map((verdict) => [
      verdict.scheme,
      verdict.isValid ? { text: 'valid', tone: 'good' } : { text: `invalid: ${verdict.reason}`, tone: 'bad' },
    ]),
  );
  if (!isValid) throw new CliError('Invalid signature. Do not trust this delivery.', { exitCode: exitCodes.failure });
}

async function headersOf(
  world: Run['world'],
  { header = [], headers }: VerifyOptions,
): Promise<Record<string, string>> {
  const file = headers === undefined ? '' : (await readInput(world, headers)).toString('utf8');
  const found: Record<string, string> = {};
  // Ignores other lines, such as the request line of a copied request.
  for (const line of [...file.split(/\r?\n/), ...header]) {
    const [, name, value] = /^\s*([\w-]+)\s*:(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found[name.toLowerCase()] = value.trim();
  }
  return found;
}
