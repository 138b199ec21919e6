import { createWriteStream } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { group, leaf, readInput } from '../commands/arguments.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import type { Act, Run } from '../commands/run.ts';

/** What files of messages usually are; any other is named by --type. */
const typesByExtension: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.3gp': 'video/3gpp',
  '.aac': 'audio/aac',
  '.amr': 'audio/amr',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
};

export function addChatapp(program: Command, act: Act): void {
  const chatapp = group(program, 'chatapp', 'Templates and files of a chat number');
  withPages(
    leaf(chatapp, 'templates <channel>', {
      summary: "Lists the message templates of the number's business account",
      examples: ['channels chatapp templates ch_4fT9aPq2 --name order_update'],
    }),
  )
    .option('--name <name>', 'only the one of this name, in all of its languages')
    .action(act(templates));
  leaf(chatapp, 'upload <channel> <file>', {
    summary: 'Uploads a file for messages; nobody is sent anything by it',
    examples: [
      'channels chatapp upload ch_4fT9aPq2 menu.pdf --json | jq -r .mediaId',
      'channels chatapp upload ch_4fT9aPq2 - --type image/png < logo.png',
    ],
  })
    .option('--type <media-type>', "what it is; by the file's name unless given")
    .action(act(upload));
  leaf(chatapp, 'download <channel> <media>', {
    summary: 'Fetches a file that was uploaded or that came with a message',
    examples: ['channels chatapp download ch_4fT9aPq2 1234567890 --output photo.jpg'],
  })
    .option('--output <file>', 'where to; standard output unless given')
    .action(act(download));
}

async function templates(run: Run, ch: string, options: PageOptions & { readonly name?: string }): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'templates',
    empty: 'There are no templates.',
    columns: [
      { title: 'NAME', of: ({ name }: Schema<'ChatappTemplate'>) => name },
      { title: 'LANGUAGE', of: ({ language }) => language },
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'CATEGORY', of: ({ category }) => category },
      { title: 'ID', of: ({ id }) => id },
    ],
    read: (query) =>
      client.get('/channels/{ch}/chatapp/templates', {
        params: { path: { ch }, query: { ...given({ name: options.name }), ...query } },
      }),
  });
}

async function upload(run: Run, ...[ch, file, { type }]: [string, string, { type?: string }]): Promise<void> {
  const mediaType = type ?? typesByExtension[extname(file).toLowerCase()];
  if (mediaType === undefined) throw usageError(`What is ${file}?`, 'Say --type, such as --type image/png.');
  const bytes = await readInput(run.world, file);
  const client = await run.client();
  run.progress.show(`Uploading ${bytes.length} bytes`);
  const response = await client.fetch(`/channels/${encodeURIComponent(ch)}/chatapp/media`, {
    method: 'POST',
    headers: { 'content-type': mediaType },
    body: new Uint8Array(bytes),
  });
  const uploaded = (await response.json()) as Schema<'ChatappMediaUploaded'>;
  run.progress.end();
  run.output.done(uploaded, `${uploaded.mediaId} is there for messages, for some 30 days.`);
}

async function download(
  run: Run,
  ...[ch, mediaId, { output: path }]: [string, string, { output?: string }]
): Promise<void> {
  const { output, world } = run;
  if (path === undefined && output.isJson)
    throw usageError('--json goes with --output <file>: the file itself is no JSON.');
  const client = await run.client();
  const { body, headers } = await client.fetch(
    `/channels/${encodeURIComponent(ch)}/chatapp/media/${encodeURIComponent(mediaId)}`,
  );
  if (body === null) throw new CliError('The file is empty.', { exitCode: exitCodes.failure });
  if (path === undefined && world.stdout.isTTY)
    throw usageError('A terminal is no place for a file.', 'Say --output <file>, or pipe it.');
  if (path === undefined) {
    for await (const chunk of body) output.raw(chunk);
    return;
  }
  await pipeline(Readable.fromWeb(body), createWriteStream(path));
  const mediaType = headers.get('content-type');
  output.done({ file: path, mediaType }, `${path} (${mediaType})`);
}
