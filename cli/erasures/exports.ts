import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORT_TAIL_BYTES, isExportComplete } from '../../contract/erasures/person-export.ts';
import { command, group } from '../commands/definition.ts';
import { required } from '../commands/flags.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';

const OWNER_ONLY = 0o600;

export const exports = group('exports', 'Export the data of a person', [
  command('create', {
    summary: 'Write everything that is stored about a sender to a file of JSON lines',
    examples: '--sender 15551234567 --reason "ticket 4711" --output person.jsonl',
    flags: {
      sender: ['--sender <id>', 'sender whose data is exported', required()],
      workspaceId: ['--only-workspace <id>', "only the sender's data in this workspace"],
      channelId: ['--channel <id>', "only the sender's data of this channel"],
      reason: ['--reason <text>', 'why; the audit log keeps it, so do not name the person', required()],
      output: ['--output <file>', 'file to write; only you can read it', required()],
    },
    /** The file gets its name when it is complete. */
    async run(run, _, { output: file, ...person }) {
      const client = await run.client();
      const org = await run.organizationId();
      const response = await client.fetch(`/organizations/${encodeURIComponent(org)}/person-exports`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(person),
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
    },
  }),
]);

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
