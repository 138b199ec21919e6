import { createWriteStream } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Schema } from '../../client/create-client.ts';
import { readInput } from '../commands/arguments.ts';
import { command, group } from '../commands/definition.ts';
import { pages, required } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';

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

export const chatapp = group('chatapp', 'Manage templates, media and the registration of chatapp channels', [
  route('templates <channel>', 'GET /channels/{ch}/chatapp/templates', {
    summary: 'List message templates of the business account',
    examples: 'ch_4fT9aPq2 --name order_update',
    flags: { ...pages, name: ['--name <name>', 'name of the template; lists all its languages'] },
    columns: { NAME: 'name', LANGUAGE: 'language', STATUS: 'status', CATEGORY: 'category', ID: 'id' },
  }),
  command('upload <channel> <file>', {
    summary: 'Upload a file for use in messages',
    examples: [
      'channels chatapp upload ch_4fT9aPq2 menu.pdf --json | jq -r .mediaId',
      'ch_4fT9aPq2 - --type image/png < logo.png',
    ],
    flags: { type: ['--type <media-type>', 'media type (default: from the file name)'] },
    async run(run, [ch, file], { type }) {
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
    },
  }),
  command('download <channel> <media>', {
    summary: 'Download an uploaded or received file',
    examples: 'ch_4fT9aPq2 1234567890 --output photo.jpg',
    flags: { output: ['--output <file>', 'file to write (default: standard output)'] },
    async run(run, [ch, mediaId], { output: path }) {
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
    },
  }),
  route('register <channel>', 'POST /channels/{ch}/chatapp/registration', {
    summary: 'Register a number, so that it receives and sends messages',
    examples: 'ch_4fT9aPq2 --pin 314159',
    flags: {
      pin: ['--pin <digits>', "PIN of the number's two-step verification; a number without one gets it", required()],
    },
    done: () => 'Registered. Keep the PIN: the platform asks for it when the number is registered again.',
  }),
]);
