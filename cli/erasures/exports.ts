import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { EXPORT_TAIL_BYTES, isExportComplete } from '../../contract/erasures/person-export.ts';
import { addCommand, addGroup } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';

interface CreateOptions {
  readonly sender: string;
  readonly onlyWorkspace?: string;
  readonly channel?: string;
  readonly reason: string;
  readonly output: string;
}

const OWNER_ONLY = 0o600;

export function addExports(program: Command, act: Act): void {
  const exports = addGroup(program, 'exports', 'Export the data of a person');
  addCommand(exports, 'create', {
    summary: 'Write everything that is stored about a sender to a file of JSON lines',
    examples: ['channels exports create --sender 15551234567 --reason "ticket 4711" --output person.jsonl'],
  })
    .requiredOption('--sender <id>', 'sender whose data is exported')
    .option('--only-workspace <id>', "only the sender's data in this workspace")
    .option('--channel <id>', "only the sender's data of this channel")
    .requiredOption('--reason <text>', 'why; the audit log keeps it, so do not name the person')
    .requiredOption('--output <file>', 'file to write; only you can read it')
    .action(act(create));
}

/** The file gets its name when it is complete. */
async function create(run: Run, options: CreateOptions): Promise<void> {
  const { sender, onlyWorkspace, channel, reason, output: file } = options;
  const [client, org] = [await run.client(), await run.organizationId()];
  const body: Schema<'PersonExportInput'> = {
    ...{ sender, reason },
    ...omitUndefined({ workspaceId: onlyWorkspace, channelId: channel }),
  };
  const response = await client.fetch(`/organizations/${encodeURIComponent(org)}/person-exports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const part = `${file}.part`;
  try {
    await writeWhole(response, part);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  run.output.done({ file }, `The export is complete: ${file}`);
}

async function writeWhole({ body }: Response, file: string): Promise<void> {
  await rm(file, { force: true }); // an existing file would keep its mode
  let tail = Buffer.alloc(0);
  const watched = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      tail = Buffer.concat([tail, chunk]).subarray(-EXPORT_TAIL_BYTES);
      yield chunk;
    }
  };
  const target = createWriteStream(file, { flags: 'wx', mode: OWNER_ONLY });
  await pipeline(Readable.fromWeb(body ?? new ReadableStream()), watched, target).catch((cause: unknown) => {
    throw isOfFile(cause) ? cause : endedEarly();
  });
  if (!isExportComplete(tail.toString('utf8'))) throw endedEarly();
}

const endedEarly = (): CliError =>
  new CliError('The export ended too early. Run the command again.', { exitCode: exitCodes.network });

function isOfFile(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
