import { createWriteStream } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addGroup, addCommand, readInput } from '../commands/arguments.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import type { Act, Run } from '../commands/run.ts';

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
  const chatapp = addGroup(program, 'chatapp', 'Manage templates, media and the registration of chatapp channels');
  withPages(
    addCommand(chatapp, 'templates <channel>', {
      summary: 'List message templates of the business account',
      examples: ['channels chatapp templates ch_4fT9aPq2 --name order_update'],
    }),
  )
    .option('--name <name>', 'name of the template; lists all its languages')
    .action(act(templates));
  addCommand(chatapp, 'upload <channel> <file>', {
    summary: 'Upload a file for use in messages',
    examples: [
      'channels chatapp upload ch_4fT9aPq2 menu.pdf --json | jq -r .mediaId',
      'channels chatapp upload ch_4fT9aPq2 - --type image/png < logo.png',
    ],
  })
    .option('--type <media-type>', 'media type (default: from the file name)')
    .action(act(upload));
  addCommand(chatapp, 'download <channel> <media>', {
    summary: 'Download an uploaded or received file',
    examples: ['channels chatapp download ch_4fT9aPq2 1234567890 --output photo.jpg'],
  })
    .option('--output <file>', 'file to write (default: standard output)')
    .action(act(download));
  addCommand(chatapp, 'register <channel>', {
    summary: 'Register a number, so that it receives and sends messages',
    examples: ['channels chatapp register ch_4fT9aPq2 --pin 314159'],
  })
    .requiredOption('--pin <digits>', "PIN of the number's two-step verification; a number without one gets it")
    .action(act(register));
}

async function templates(run: Run, ch: string, options: PageOptions & { readonly name?: string }): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'templates',
    empty: 'No templates found.',
    columns: [
      { title: 'NAME', of: ({ name }: Schema<'ChatappTemplate'>) => name },
      { title: 'LANGUAGE', of: ({ language }) => language },
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'CATEGORY', of: ({ category }) => category },
      { title: 'ID', of: ({ id }) => id },
    ],
    read: (query) =>
      client.get('/channels/{ch}/chatapp/templates', {
        params: { path: { ch }, query: { ...omitUndefined({ name: options.name }), ...query } },
      }),
  });
}

async function upload(run: Run, ...[ch, file, { type }]: [string, string, { type?: string }]): Promise<void> {
  const mediaType = type ?? typesByExtension[extname(file).toLowerCase()];
  if (mediaType === undefined)
    throw usageError(`Unknown media type of '${file}'.`, 'Use --type, for example --type image/png.');
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
  run.output.done(uploaded, `Uploaded ${uploaded.mediaId}. It can be used in messages for about 30 days.`);
}

async function download(
  run: Run,
  ...[ch, mediaId, { output: path }]: [string, string, { output?: string }]
): Promise<void> {
  const { output, world } = run;
  if (path === undefined && output.isJson)
    throw usageError('--json requires --output <file>, because the file itself is not JSON.');
  const client = await run.client();
  const { body, headers } = await client.fetch(
    `/channels/${encodeURIComponent(ch)}/chatapp/media/${encodeURIComponent(mediaId)}`,
  );
  if (body === null) throw new CliError('The file is empty.', { exitCode: exitCodes.failure });
  if (path === undefined && world.stdout.isTTY)
    throw usageError('Cannot write a file to a terminal.', 'Use --output <file>, or pipe the output.');
  if (path === undefined) {
    for await (const chunk of body) output.raw(chunk);
    return;
  }
  await pipeline(Readable.fromWeb(body), createWriteStream(path));
  const mediaType = headers.get('content-type');
  output.done({ file: path, mediaType }, `${path} (${mediaType})`);
}

async function register(run: Run, ...[ch, { pin }]: [string, { pin: string }]): Promise<void> {
  const client = await run.client();
  const answer = await client.post('/channels/{ch}/chatapp/registration', { params: { path: { ch } }, body: { pin } });
  run.output.done(answer, 'Registered. Keep the PIN: the platform asks for it when the number is registered again.');
}
