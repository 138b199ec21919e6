import type { Command } from 'commander';
import { leaf, readInput, repeated, wholeNumber } from '../commands/arguments.ts';
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

/** What the Standard Webhooks libraries allow. */
const TOLERANCE_SECONDS = 300;

export function addVerifySignature(program: Command, act: Act): void {
  leaf(program, 'verify-signature', {
    summary: 'Checks the signatures of a delivery, without the service; the secret comes from WEBHOOK_HMAC_SECRET',
    examples: [
      "channels verify-signature --body event.json --header 'x-service-signature-256: sha256=…'",
      'channels verify-signature --body event.json --headers headers.txt --secret-stdin < secret.txt',
      "channels verify-signature --header 'webhook-id: wd_…' --header 'webhook-timestamp: 1…' --header 'webhook-signature: v1,…' --ignore-timestamp < event.json",
    ],
  })
    .option('--body <file>', 'the body as it came, byte for byte; - for standard input', '-')
    .option('--header <name: value>', 'a header of the delivery', repeated)
    .option('--headers <file>', 'all of its headers, a line each')
    .option('--secret-stdin', 'read the secret from standard input')
    .option('--tolerance <seconds>', 'how old the timestamp may be', wholeNumber, TOLERANCE_SECONDS)
    .option('--ignore-timestamp', 'look at no clock')
    .action(act(verifySignature));
}

async function verifySignature({ world, output }: Run, options: VerifyOptions): Promise<void> {
  if (options.secretStdin && options.body === '-')
    throw usageError('The body and the secret can not both be standard input.');
  const headers = await headersOf(world, options);
  const secret = options.secretStdin ? await readSecretLine(world, 'secret') : world.env['WEBHOOK_HMAC_SECRET'];
  if (!secret) throw usageError('There is no secret.', 'Set WEBHOOK_HMAC_SECRET, or say --secret-stdin.');
  if (!secret.startsWith('whsec_'))
    throw usageError('A webhook secret begins with whsec_.', 'See `channels webhook hmac`.');
  const verdicts = verify({
    body: await readInput(world, options.body),
    ...{ secret, headers },
    nowMs: world.now(),
    toleranceSeconds: options.ignoreTimestamp ? undefined : options.tolerance,
  });
  if (verdicts.length === 0)
    throw usageError('No signature was given.', 'Say --header with x-service-signature-256 or webhook-signature.');
  const isValid = verdicts.every((verdict) => verdict.isValid);
  output.record(
    { isValid, signatures: verdicts },
    verdicts.map((verdict) => [
      verdict.scheme,
      verdict.isValid ? { text: 'valid', tone: 'good' } : { text: `not valid: ${verdict.reason}`, tone: 'bad' },
    ]),
  );
  if (!isValid) throw new CliError('The delivery is not to be trusted.', { exitCode: exitCodes.failure });
}

async function headersOf(
  world: Run['world'],
  { header = [], headers }: VerifyOptions,
): Promise<Record<string, string>> {
  const file = headers === undefined ? '' : (await readInput(world, headers)).toString('utf8');
  const found: Record<string, string> = {};
  // What comes of a copied request has other lines too, such as its first.
  for (const line of [...file.split(/\r?\n/), ...header]) {
    const [, name, value] = /^\s*([\w-]+)\s*:(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found[name.toLowerCase()] = value.trim();
  }
  return found;
}
