import type { Command } from 'commander';
import { type ApiClient, createClient } from '../../client/create-client.ts';
import { version } from '../../contract/version.ts';
import type { Run } from '../commands/run.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';

/** The staff key has its own variable, so that it is never sent where an API key belongs. */
export function staffClient({ world, settings }: Run): ApiClient {
  const credential = world.env['STAFF_API_KEY'];
  if (!credential) {
    const hint = 'Set STAFF_API_KEY. The operator creates a key with `admin create-staff-key`.';
    throw new CliError('No staff key is set.', { exitCode: exitCodes.auth, hint });
  }
  return createClient({
    baseUrl: settings.baseUrl.value,
    credential,
    userAgent: `channels-cli/${version}`,
    fetch: world.fetch,
  });
}

export interface Reasoned {
  readonly reason: string;
}

export function withReason(command: Command): Command {
  return command.requiredOption(
    '--reason <text>',
    'why, for the audit log of the organization: a ticket number will do',
  );
}
