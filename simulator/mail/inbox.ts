import type { IncomingMessage, ServerResponse } from 'node:http';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { CSP, sendHtml } from '../servers/html.ts';
import { listen, RequestRefused, type RunningServer, sendError, sendJson } from '../servers/http-server.ts';
import { type InboxMessage, InboxLog } from './inbox-log.ts';
import { readMail } from './read-mail.ts';
import { inboxPage } from './inbox-page.ts';

/** A mail server for development and tests. It shows every email at `/` and `/messages`. */
export interface MailInbox extends RunningServer {
  readonly smtpUrl: string;
  readonly messages: (to?: string) => readonly InboxMessage[];
}

export interface MailInboxOptions {
  readonly smtpPort: number;
  readonly port: number;
  readonly hosts?: readonly string[];
}

const HOST = '127.0.0.1';
const MAX_MAIL_BYTES = 256 * 1024;
const MAX_WAIT_MS = 60_000;

export async function startMailInbox({ smtpPort, port, hosts = [] }: MailInboxOptions): Promise<MailInbox> {
  const inbox = new InboxLog();
  const smtp = await listenSmtp({ port: smtpPort, inbox });
  const server = await listen({
    port,
    hosts,
    onRequest: (request, response) => {
      answer(request, response, inbox).catch((error: unknown) => sendError(response, error));
    },
  }).catch(async (error: unknown) => {
    await smtp.stop();
    throw error;
  });
  return {
    ...server,
    smtpUrl: `smtp://${HOST}:${smtp.port}`,
    messages: (to) => inbox.messages({ to }),
    stop: async () => {
      inbox.close();
      await Promise.all([smtp.stop(), server.stop()]);
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, inbox: InboxLog): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://inbox');
  const route = `${request.method} ${pathname}`;
  if (route === 'GET /healthz') return sendJson(response, 200, { status: 'ok' });
  if (route === 'GET /messages') {
    const to = searchParams.get('to') ?? undefined;
    const after = wholeNumber(searchParams, 'after', Number.MAX_SAFE_INTEGER);
    const waitMs = wholeNumber(searchParams, 'waitMs', MAX_WAIT_MS);
    const messages = await inbox.wait({ to, after, waitMs });
    return sendJson(response, 200, { messages: messages.map(({ html: _, ...message }) => message) });
  }
  const number = /^GET \/messages\/(\d{1,15})\/html$/.exec(route)?.[1];
  if (number !== undefined) return sendMail(response, inbox.message(Number(number)));
  if (route !== 'GET /') throw new RequestRefused(404, 'Unknown address. The inbox serves /, /messages and /healthz.');
  sendHtml(response, 200, { html: inboxPage(inbox.messages({})) });
}

/** Shows an email as mail programs do: without scripts, forms and images. */
function sendMail(response: ServerResponse, message: InboxMessage | undefined): void {
  if (!message || message.html === null) throw new RequestRefused(404, 'There is no such email with HTML.');
  sendHtml(response, 200, { html: message.html, policy: `${CSP}; sandbox allow-popups` });
}

function wholeNumber(query: URLSearchParams, name: string, max: number): number {
  const text = query.get(name) ?? '0';
  if (!/^\d{1,15}$/.test(text)) throw new RequestRefused(400, `${name} must be a whole number.`);
  return Math.min(Number(text), max);
}

async function listenSmtp({ port, inbox }: { port: number; inbox: InboxLog }) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // Accepts any credentials, because some clients send them.
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    size: MAX_MAIL_BYTES,
    logger: false,
    onData: (stream, session, done) => {
      takeMail(stream, session, inbox).then(() => done(), done);
    },
  });
  server.on('error', () => undefined); // Clients may disconnect.
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has an address with a port');
  return { port: address.port, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

async function takeMail(stream: SMTPServerDataStream, { envelope }: SMTPServerSession, inbox: InboxLog): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  if (stream.sizeExceeded)
    throw Object.assign(new Error(`The email is larger than ${MAX_MAIL_BYTES} bytes.`), { responseCode: 552 });
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const to = envelope.rcptTo.map(({ address }) => address.toLowerCase());
  inbox.add({ from, to, ...readMail(Buffer.concat(chunks)) });
}
