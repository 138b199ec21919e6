import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onLoopback } from '../../harness/connections/loopback.ts';

export const hostileAnswers = [
  ...(['endless headers', 'one endless header', 'a gigabyte', 'endless chunks', 'a drip', 'silence'] as const),
  ...(['a reset', 'a redirect to itself', 'a redirect to loopback', 'a redirect to the metadata service'] as const),
  ...(['a gzip bomb', 'a length that is too long', 'a length that is too short', 'two lengths'] as const),
  ...(['length and chunks', 'an upgrade', 'injected headers', 'endless continues', 'no HTTP'] as const),
  ...(['an empty answer', 'a second answer', 'cookies'] as const),
] as const;
export type HostileAnswer = (typeof hostileAnswers)[number];

export interface HostileReceiver {
  readonly url: string;
  /** Returns the number of connections to its redirects' target. */
  trapped(): number;
  pouredBytes(): number;
  stop(): Promise<void>;
}

export async function startHostileReceiver(how: HostileAnswer): Promise<HostileReceiver> {
  let trapCount = 0;
  let poured = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const trap = await onLoopback(createServer((socket) => (keep(socket), trapCount++)));
  const server = await onLoopback(
    createServer((socket) => {
      keep(socket);
      socket.once('data', () => answer(how, { socket, trapUrl: trap.url, onPoured: (count) => (poured += count) }));
    }),
  );
  return {
    url: server.url,
    trapped: () => trapCount,
    pouredBytes: () => poured,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([server.stop(), trap.stop()]);
    },
  };
}

interface Answering {
  readonly socket: Socket;
  readonly trapUrl: string;
  readonly onPoured: (byteCount: number) => void;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const DRIP_MS = 50;

function answer(how: HostileAnswer, answering: Answering): void {
  const { socket, trapUrl } = answering;
  const whole = wholeAnswer(how, trapUrl);
  if (whole !== undefined) return void socket.end(whole);
  if (how === 'a reset') return void socket.resetAndDestroy();
  if (how === 'a drip') return drip(socket);
  const endless = endlessAnswers[how];
  // Without a matching case, the receiver stays silent.
  if (endless !== undefined) pour(answering, ...endless);
}

type Endless = readonly [head: string, piece: (n: number) => string];

const endlessAnswers: Partial<Record<HostileAnswer, Endless>> = {
  'endless headers': [OK, (n) => `x-${n}: ${'h'.repeat(1_000)}\r\n`],
  'one endless header': [`${OK}x: `, () => 'h'.repeat(16_384)],
  'a gigabyte': [`${OK}content-length: ${2 ** 30}\r\n\r\n`, () => 'b'.repeat(65_536)],
  'endless chunks': [`${OK}transfer-encoding: chunked\r\n\r\n`, () => `4000\r\n${'c'.repeat(0x4000)}\r\n`],
  'endless continues': ['', () => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)],
};

function drip(socket: Socket): void {
  socket.write(`${OK}content-length: 1000000\r\n\r\n`);
  const timer = setInterval(() => socket.write('.'), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}

function wholeAnswer(how: HostileAnswer, trapUrl: string): string | Buffer | undefined {
  const redirect = (to: string): string =>
    `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`;
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const answers: Partial<Record<HostileAnswer, string | Buffer>> = {
    'a redirect to itself': redirect('/again'),
    'a redirect to loopback': redirect(`${trapUrl}/`),
    'a redirect to the metadata service': redirect('http://169.254.169.254/latest/meta-data/'),
    'a gzip bomb': Buffer.concat([
      Buffer.from(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
      bomb,
    ]),
    'a length that is too long': `${OK}content-length: 1000\r\n\r\nshort`,
    'a length that is too short': `${OK}content-length: 2\r\n\r\nlonger than that`,
    'two lengths': `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`,
    'length and chunks': `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'an upgrade': 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'injected headers': `${OK}x: a\rb: c\r\nx-\0: d\r\ncontent-length: 0\r\n\r\n`,
    'no HTTP': '220 mail.example.com ready\r\n',
    'an empty answer': '',
    'a second answer': `${OK}content-length: 0\r\n\r\n${OK}content-length: 0\r\n\r\n`,
    cookies: `${OK}${'set-cookie: a=b; domain=127.0.0.1\r\n'.repeat(100)}content-length: 0\r\n\r\n`,
  };
  return answers[how];
}

function pour({ socket, onPoured }: Answering, head: string, piece: (n: number) => string): void {
  let count = 0;
  socket.write(head);
  const goOn = (): void => {
    for (let isTaken = true; isTaken && !socket.destroyed;) {
      const text = piece(count++);
      onPoured(text.length);
      isTaken = socket.write(text);
    }
  };
  socket.on('drain', goOn);
  goOn();
}
