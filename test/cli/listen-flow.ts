import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { eventually } from '../harness/eventually.ts';
import type { FlowStage } from './flow-stage.ts';

interface Local {
  readonly url: string;
  readonly texts: string[];
  readonly headers: IncomingMessage['headers'][];
  status: number;
}

async function localProgram(t: ExecutionContext, port = 0): Promise<Local & { stop(): Promise<void> }> {
  const local: Local = { url: '', texts: [], headers: [], status: 200 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (local.status === 200) local.texts.push(/"body":"([^"]+)"/.exec(body)?.[1] ?? body);
    local.headers.push(request.headers);
    response.writeHead(local.status).end('seen');
  };
  const server = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections());
  t.teardown(stop);
  return Object.assign(local, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, stop });
}

export async function listening({ t, system, cli }: FlowStage): Promise<void> {
  const connected = await system.channel();
  const ch = connected.publicId;
  const send = (text: string) =>
    system.platform.send({ product: 'chatapp', kind: 'message', resourceId: connected.resourceId, text });
  const local = await localProgram(t);
  const command = `listen ${ch} --forward-to ${local.url}`;
  t.regex(await cli.fails(2, `listen ${ch}`), /--forward-to <url>, --print/);
  t.regex(await cli.fails(2, `listen ${ch} --forward-to localhost:4000`), /Invalid URL/);

  const first = cli.start(command);
  await eventually(() => first.warned().includes('Listening'));
  await send('one');
  await eventually(() => local.texts.length === 1);
  await eventually(() => /chatapp\.message\.received +wd_\w{8} +\d+ +200 +\d+ ms/.test(first.said()));
  const end = await first.stop();
  t.is(end.code, 0, end.stderr);
  const headers = local.headers[0]!;
  t.regex(String(headers['x-service-signature-256']), /^sha256=/);
  t.is(headers['content-type'], 'application/json');

  for (const text of ['two', 'three']) await send(text);
  local.status = 503;
  const second = cli.start(`${command} --json`);
  await eventually(() => second.lines().some(({ local: { status } }) => status === 503));
  await send('four');
  local.status = 200;
  await eventually(() => local.texts.length === 4);
  t.deepEqual(local.texts, ['one', 'two', 'three', 'four'], 'events arrive once, in order, missed ones first');
  await eventually(() => second.lines().filter(({ local: { outcome } }) => outcome === 'accepted').length === 3);
  await second.stop();
  t.like(second.lines()[0], { sender: '15551230001', local: { outcome: 'rejected' } });

  await localProgramAway({ t, cli }, { ch, send, local, command });
  await networkLoss({ t, cli }, { ch, send });
  await newListener({ t, cli }, { ch, send });
}

interface Place {
  readonly ch: string;
  readonly send: (text: string) => Promise<unknown>;
}
type Tried = Pick<FlowStage, 't' | 'cli'>;

async function localProgramAway(
  { t, cli }: Tried,
  { ch, send, local, command }: Place & { local: { stop(): Promise<void> }; command: string },
): Promise<void> {
  await local.stop();
  await send('lost');
  const skipping = await cli.run(`${command} --skip-failed --count 1`);
  t.is(skipping.code, 0, skipping.stderr);
  t.regex(skipping.stdout, /connection refused/);
  const { deliveries } = await cli.json(`deliveries list --channel ${ch} --status exhausted`);
  t.is((await cli.json(`deliveries show ${deliveries[0].deliveryId}`)).attempts.at(-1).outcome, 'no_response');
  t.is((await cli.json(`deliveries list --channel ${ch} --status delivered`)).deliveries.length, 4);
}

async function newListener({ t, cli }: Tried, { ch, send }: Place): Promise<void> {
  const printed = cli.start(`listen ${ch} --print --new --label other --events chatapp.message.received`);
  await eventually(() => printed.warned().includes('Listening'));
  await send('printed');
  await eventually(() => printed.said().includes('"body": "printed"'));
  await printed.stop();
  const { listeners } = await cli.json(`listeners list ${ch}`);
  t.is(listeners.length, 2, 'the earlier listener was reused');
  t.regex(await cli.fails(2, `listen ${ch} --print --label other --events chatapp.message.status`), /--new/);
}

async function networkLoss({ t, cli }: Tried, { ch, send }: Place): Promise<void> {
  const local = await localProgram(t);
  let isCut = false;
  let wasCut = false;
  const options = {
    // The network fails once the first event has come, so that no poll ends before.
    fetch: (request: Request) => {
      const isService = !request.url.startsWith(local.url);
      if (!isService && !wasCut) isCut = wasCut = true;
      return isCut && isService ? Promise.reject(new TypeError('cut')) : fetch(request);
    },
  };
  const run = cli.start(`listen ${ch} --forward-to ${local.url}`, options);
  await eventually(() => run.warned().includes('Listening'));
  await send('before');
  await eventually(() => local.texts.length === 1);
  await eventually(() => run.warned().includes('Service unavailable'));
  await send('after');
  isCut = false;
  await eventually(() => local.texts.length === 2);
  t.regex(run.warned(), /Reconnected after/);
  t.deepEqual(local.texts, ['before', 'after']);
  t.is((await run.stop()).code, 0);
}
