import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Run } from '../commands/run.ts';
import { usageError, VerificationError } from '../terminal/failures.ts';
import { readSecretLine } from '../terminal/prompt.ts';
import { probeLines } from './probe-lines.ts';

export const verifyTokenStdin = ['--verify-token-stdin', 'read the verify token from standard input'] as const;

interface TokenOptions {
  readonly verifyToken: string | undefined;
  readonly verifyTokenStdin: boolean | undefined;
}

export async function readVerifyToken({ world }: Run, options: TokenOptions): Promise<string | undefined> {
  if (options.verifyToken !== undefined && options.verifyTokenStdin)
    throw usageError('--verify-token and --verify-token-stdin cannot be combined.');
  if (options.verifyTokenStdin) return await readSecretLine(world, 'verify token');
  return options.verifyToken ?? (world.env['VERIFY_TOKEN'] || undefined);
}

type Probed = Pick<Schema<'WebhookConfig'>, 'lastVerification'>;

interface Saving<Config extends Probed> {
  readonly save: () => Promise<Config>;
  readonly read: () => Promise<Config>;
}

/** Saves a URL and says what its probes found. */
export async function probed<Config extends Probed>(
  { output, progress }: Run,
  url: string,
  { save, read }: Saving<Config>,
): Promise<Config> {
  progress.show(`Probing ${url}`);
  const config = await save().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'WEBHOOK_URL_VERIFICATION_FAILED') throw error;
    const { lastVerification: last } = await read();
    throw new VerificationError(error, last?.url === url && !last.ok ? last.probes : []);
  });
  progress.end();
  output.note(['Both probes passed.', ...probeLines(config.lastVerification?.probes ?? [])].join('\n'));
  return config;
}
