import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AttemptOutcome } from '../../../contract/deliveries/status.ts';

/** The DNS server implements `flip`; `refuse` lasts for the whole run. */
export const misbehaviours = ['reset', 'drip', 'redirect', 'huge', 'sleep', 'garbage', 'flip', 'refuse'] as const;
export type Misbehaviour = (typeof misbehaviours)[number];

/** `outcome`, then the status or the error. */
export type ExpectedAttempt = `${AttemptOutcome} ${string}`;

/** Attempts allowed besides `accepted 200`. At least one of them must occur. */
export const expectedAttempts: Readonly<Record<Misbehaviour, ExpectedAttempt>> = {
  reset: 'no_response reset',
  drip: 'rejected 500',
  redirect: 'rejected 307',
  huge: 'rejected 500',
  sleep: 'no_response timeout',
  garbage: 'no_response bad_response',
  flip: 'blocked address_not_allowed',
  refuse: 'rejected 500',
};

export interface Misbehaving {
  /** Must never be requested. */
  readonly trapUrl: string;
  /** Called with the bytes written before the sender closed the connection. */
  readonly onPoured: (byteCount: number) => void;
}

const DRIP_MS = 50;
const HUGE_BYTES = 1024 ** 3;
const PIECE = Buffer.alloc(16 * 1024, 'h');
/** The other pieces follow slowly enough that the bytes written show what was read. */
const FIRST_PIECES = 4;
const PACE_MS = 50;

/** Misbehaves for one request whose body has been read. The effect ends with the connection. */
export function misbehave(
  how: Exclude<Misbehaviour, 'flip'>,
  { request, response, needs }: { request: IncomingMessage; response: ServerResponse; needs: Misbehaving },
): void {
  const { socket } = request;
  switch (how) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'drip':
      response.writeHead(500, { 'content-length': 1_000_000 });
      untilClosed(response, { everyMs: DRIP_MS, act: () => response.write('.') });
      return;
    case 'redirect':
      response.writeHead(307, { location: needs.trapUrl, 'content-length': 0 }).end();
      return;
    case 'huge':
      response.writeHead(500, { 'content-length': HUGE_BYTES });
      pour(response);
      return;
    case 'sleep':
      return;
    case 'garbage':
      socket.end('220 mail.example.com ready\r\n');
      return;
    case 'refuse':
      response.writeHead(500, { 'content-length': 0 }).end();
      return;
  }
}

/** Counts the bytes that the sender reads of a gigabyte. */
export function acceptAtLength(response: ServerResponse, onPoured: Misbehaving['onPoured']): void {
  let byteCount = 0;
  const write = (): void => {
    byteCount += PIECE.length;
    response.write(PIECE);
  };
  response.writeHead(200, { 'content-length': HUGE_BYTES });
  for (let piece = 0; piece < FIRST_PIECES; piece++) write();
  untilClosed(response, { everyMs: PACE_MS, act: write });
  response.once('close', () => onPoured(byteCount));
}

/** Writes as fast as the sender reads: a sender that keeps everything runs out of memory. */
function pour(response: ServerResponse): void {
  let left = HUGE_BYTES / PIECE.length;
  const goOn = (): void => {
    while (left-- > 0 && !response.destroyed) if (!response.write(PIECE)) return;
    response.end();
  };
  response.on('drain', goOn);
  goOn();
}

function untilClosed(response: ServerResponse, { everyMs, act }: { everyMs: number; act: () => void }): void {
  const timer = setInterval(act, everyMs);
  response.once('close', () => clearInterval(timer));
}
