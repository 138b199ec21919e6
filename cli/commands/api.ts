import { readInput } from './arguments.ts';
import { command } from './definition.ts';
import { many } from './flags.ts';
import { usageError } from '../terminal/failures.ts';
import type { Run } from './run.ts';
import { safeBlock } from '../../contract/text/safe-text.ts';

export const api = command('api <method> <path>', {
  summary: 'Call any API route with the current credential and workspace',
  examples: [
    "GET '/deliveries?status=exhausted&limit=5'",
    `PATCH /workspaces/ws_8kLm3Qz1 --body '{"name":"Support"}'`,
    'POST /replays --body @replay.json --header "Idempotency-Key: replay-1"',
  ],
  flags: {
    body: ['--body <json>', 'request body; @file reads a file, - reads standard input'],
    header: ['--header <name: value>', 'additional header; repeatable', many],
    include: ['--include', 'print the response status and headers to standard error'],
  },
  async run(run, [method, path], options) {
    const { output, world, settings } = run;
    if (!/^\/(?!\/)/.test(path))
      throw usageError(`Invalid path '${path}'. Start it with one slash, for example /platform/channels.`);
    const body = options.body === undefined ? undefined : await bodyOf(run, options.body);
    // The header is harmless on routes that name the workspace, as long as both agree.
    const client = settings.workspaceId === undefined ? await run.client() : await run.inWorkspace();
    const response = await client.fetch(path, {
      method: method.toUpperCase(),
      headers: [
        ...(body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
        ...(options.header ?? []).map(headerOf),
      ],
      ...(body !== undefined && { body }),
      signal: world.signal,
    });
    if (options.include) {
      output.warn(`HTTP ${response.status}`);
      for (const [name, value] of response.headers) output.warn(`${name}: ${value}`);
    }
    await showBody(run, response);
  },
});

async function showBody({ output, world }: Run, response: Response): Promise<void> {
  if (response.headers.get('content-type')?.startsWith('application/json')) return output.json(await response.json());
  if (response.status === 204)
    return output.isJson ? output.json(null) : output.note('Done. The response has no body.');
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    output.raw(world.stdout.isTTY ? safeBlock(decoder.decode(chunk, { stream: true })) : chunk);
  }
}

async function bodyOf({ world }: Run, text: string): Promise<string> {
  if (text === '-') return (await readInput(world, '-')).toString('utf8');
  return text.startsWith('@') ? (await readInput(world, text.slice(1))).toString('utf8') : text;
}

function headerOf(line: string): [string, string] {
  const [, name, value] = /^([\w-]+)\s*:(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw usageError(`Invalid header '${line}'.`, "Use --header 'Name: value'.");
  return [name, value.trimStart()];
}
