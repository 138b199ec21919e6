import { createHmac } from 'node:crypto';
import { explainSignature } from '../../contract/deliveries/explain-signature.ts';
import { parseHeaderLines } from '../../contract/deliveries/signature.ts';
import type { SentSignature, SignatureFinding, TextHmac } from '../../contract/deliveries/signature-case.ts';
import { readSentRequest, type SentRequestOptions } from '../deliveries/sent-request.ts';
import type { Field } from '../terminal/output.ts';
import { readInput } from '../commands/arguments.ts';
import { command } from '../commands/definition.ts';
import { fallback, type Flags, type Given, many, wholeNumber } from '../commands/flags.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { readSecretLine } from '../terminal/prompt.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Run } from '../commands/run.ts';
import { type Verdict, verify } from './verify.ts';

/** The tolerance of the Standard Webhooks libraries. */
const TOLERANCE_SECONDS = 300;

const flags = {
  body: ['--body <file>', 'file with the exact request body; - reads standard input', fallback('-')],
  header: ['--header <name: value>', 'header of the delivery; repeatable', many],
  headers: ['--headers <file>', 'file with all headers, one per line'],
  secretStdin: ['--secret-stdin', 'read the secret from standard input'],
  tolerance: ['--tolerance <seconds>', 'maximum age of the timestamp', fallback(TOLERANCE_SECONDS, wholeNumber)],
  ignoreTimestamp: ['--ignore-timestamp', 'skip the timestamp check'],
  computed: ['--computed <signature>', 'signature that your receiver computes, to find its mistake'],
  delivery: ['--delivery <id>', 'compare with what was sent; without headers, take those (not offline)'],
  attempt: ['--attempt <n>', 'with --delivery: number of the attempt (default: the last one)', wholeNumber],
  testOf: ['--test-of <channel>', 'with --delivery: ID of the channel, if the delivery is a test event'],
} as const satisfies Flags;
type Options = Given<typeof flags>;

export const verifySignature = command('verify-signature', {
  summary: 'Verify delivery signatures with the secret in WEBHOOK_HMAC_SECRET, and explain why they do not match',
  examples: [
    "--body event.json --header 'x-service-signature-256: sha256=…'",
    '--body event.json --headers headers.txt --secret-stdin < secret.txt',
    "--header 'webhook-id: wd_…' --header 'webhook-timestamp: 1…' --header 'webhook-signature: v1,…' --ignore-timestamp < event.json",
    '--delivery wd_4fT9aPq2 --body received.json',
    '--delivery wd_4fT9aPq2 --body received.json --computed sha256=…',
  ],
  flags,
  async run(run, _, options) {
    if (options.secretStdin && options.body === '-')
      throw usageError('--secret-stdin requires --body <file>: standard input has only one use.');
    const { verdicts, findings } = await check(run, options);
    const isValid = verdicts.length > 0 && verdicts.every((verdict) => verdict.isValid);
    const fields = [...verdicts.map(verdictField), ...findings.map(findingField)];
    run.output.record({ isValid, signatures: verdicts, findings }, fields);
    if (!isValid) throw new CliError('Invalid signature. Do not trust this delivery.', { exitCode: exitCodes.failure });
    if (findings.some(({ isFine }) => !isFine))
      throw new CliError('The signature is valid. Your receiver refuses it by mistake.', {
        exitCode: exitCodes.failure,
      });
  },
});

interface Checked {
  readonly verdicts: readonly Verdict[];
  readonly findings: readonly SignatureFinding[];
}

async function check(run: Run, options: Options): Promise<Checked> {
  const { world } = run;
  const received = await headersOf(world, options);
  const secret = await secretOf(world, options);
  const body = await readInput(world, options.body);
  const sent = options.delivery === undefined ? undefined : await sentSignature(run, options.delivery, options);
  // A record is older than any tolerance.
  const isRecord = sent !== undefined && Object.keys(received).length === 0;
  const toleranceSeconds = options.ignoreTimestamp || isRecord ? undefined : options.tolerance;
  const given = { secret, headers: isRecord ? sent.headers : received, nowMs: world.now(), toleranceSeconds };
  const verdicts = verify({ body, ...given });
  if (verdicts.length === 0 && sent === undefined)
    throw usageError('Missing signature.', 'Use --header with x-service-signature-256 or webhook-signature.');
  const { computed } = options;
  const isAsked = sent !== undefined || computed !== undefined;
  if (!isAsked && verdicts.every(({ isValid }) => isValid)) return { verdicts, findings: [] };
  const asked = { ...given, body: body.toString('utf8'), ...omitUndefined({ computed, sent }) };
  return { verdicts, findings: await explainSignature(asked, nodeHmac) };
}

async function secretOf(world: Run['world'], { secretStdin }: Options): Promise<string> {
  const secret = secretStdin ? await readSecretLine(world, 'secret') : world.env['WEBHOOK_HMAC_SECRET'];
  if (!secret) throw usageError('Missing secret.', 'Set WEBHOOK_HMAC_SECRET, or use --secret-stdin.');
  if (secret.startsWith('whsec_')) return secret;
  throw usageError('Invalid secret. It must start with whsec_.', 'Get it with `channels webhook hmac`.');
}

async function sentSignature(run: Run, wd: string, options: SentRequestOptions): Promise<SentSignature> {
  const { request, payload } = await readSentRequest(run, wd, options);
  return { body: payload, headers: request.headers };
}

function verdictField({ scheme, isValid, reason }: Verdict): Field {
  return [scheme, isValid ? { text: 'valid', tone: 'good' } : { text: `invalid: ${reason}`, tone: 'bad' }];
}

function findingField({ isFine, text }: SignatureFinding): Field {
  return [isFine ? 'right' : 'wrong', { text, tone: isFine ? 'good' : 'bad' }];
}

const nodeHmac: TextHmac = (key, text) => {
  const bytes = 'text' in key ? Buffer.from(key.text) : Buffer.from(key.base64, 'base64');
  const mac = createHmac('sha256', bytes).update(text).digest();
  return Promise.resolve(bytes.length === 0 ? null : { hex: mac.toString('hex'), base64: mac.toString('base64') });
};

async function headersOf(world: Run['world'], { header = [], headers }: Options): Promise<Record<string, string>> {
  const file = headers === undefined ? '' : (await readInput(world, headers)).toString('utf8');
  return parseHeaderLines([...file.split(/\r?\n/), ...header]);
}
