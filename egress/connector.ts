import { type LookupFunction, isIP, type Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { Cidr } from '../contract/addresses/classify-address.ts';
import { EgressFailure } from './failure.ts';
import { isReachable, type Resolver } from './resolve.ts';

export interface ConnectorOptions {
  /** Its look-ups count for this workspace. */
  readonly workspaceId: string;
  readonly resolver: Resolver;
  readonly allowCidrs: readonly Cidr[];
  readonly connectTimeoutMs: number;
  readonly secureContext: SecureContext;
}

/** Of the final response, and of all responses of status 1xx before it. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** The DNS lookup checks addresses, so the checked address is the connected one, and TLS still verifies the name. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { workspaceId, resolver, allowCidrs, connectTimeoutMs, secureContext } = options;
  const connect = buildConnector({
    lookup: vettedLookup(resolver, workspaceId),
    timeout: connectTimeoutMs,
    // With HTTP/1.1, the connection limit also limits concurrent requests.
    allowH2: false,
    autoSelectFamily: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    secureContext,
  });

  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !isReachable(target.hostname, allowCidrs)) {
      callback(new EgressFailure('address_not_allowed', target.hostname), null);
      return;
    }
    connect(target, (...result) => {
      if (result[0] === null) skipInformational(result[1], MAX_HEAD_BYTES);
      callback(...result);
    });
  };
}

/** One for all connections, because each context parses all root certificates. */
export function createTrust(extraCa: string | undefined): SecureContext {
  return createSecureContext(extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] });
}

function vettedLookup(resolver: Resolver, workspaceId: string): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolver.resolve(hostname, workspaceId).then(
      (addresses) => {
        const first = addresses.find((address) => !family || address.family === family) ?? addresses[0];
        if (all || first === undefined) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

/**
 * Removes responses of status 1xx from what the socket reads, because undici takes a 100 that it did not ask for, and
 * any 101, as a broken response. RFC 9110, section 15.2: a client must be able to skip them. Remove this function
 * once undici does. A response is expected after each write, so everything before a final status line is the head of a 1xx.
 */
function skipInformational(socket: Socket, maxHeadBytes: number): void {
  const heads = new InformationalHeads(maxHeadBytes);
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  Object.assign(socket, {
    read(size?: number): Buffer | null {
      for (;;) {
        const piece: unknown = read(size);
        if (!(piece instanceof Buffer)) return null;
        const rest = heads.skipIn(piece);
        if (rest !== undefined && rest.length > 0) return rest;
        if (rest === undefined) {
          socket.destroy(new EgressFailure('bad_response', 'endless informational responses'));
          return null;
        }
      }
    },
    write(...written: Parameters<typeof write>): boolean {
      heads.expect();
      return write(...written);
    },
  });
}

const NOTHING = Buffer.alloc(0);
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** `HTTP/1.1 1` and `HTTP/1.0 1`; the hundred is what matters. */
const STATUS_START = 'HTTP/1.x 1';

type Phase = 'start' | 'informational' | 'final';

/** Reads byte by byte, because a head can arrive so. */
class InformationalHeads {
  private readonly maxBytes: number;
  private phase: Phase = 'start';
  /** Of a status line whose first digit has not arrived. */
  private begun: Buffer = NOTHING;
  private isLineEmpty = false;
  private skippedBytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  expect(): void {
    this.phase = 'start';
    this.begun = NOTHING;
    this.skippedBytes = 0;
  }

  /** Returns the part that belongs to a final response, or undefined if the heads before it are too long. */
  skipIn(piece: Buffer): Buffer | undefined {
    let rest = piece;
    while (this.phase !== 'final' && rest.length > 0) {
      rest = this.phase === 'start' ? this.begin(rest) : this.skipHead(rest);
      if (this.skippedBytes > this.maxBytes) return undefined;
    }
    return rest;
  }

  private begin(piece: Buffer): Buffer {
    const bytes = this.begun.length === 0 ? piece : Buffer.concat([this.begun, piece]);
    const known = Math.min(bytes.length, STATUS_START.length);
    for (let at = 0; at < known; at++) {
      if (STATUS_START[at] !== 'x' && bytes[at] !== STATUS_START.charCodeAt(at)) return this.finish(bytes);
    }
    if (bytes.length < STATUS_START.length) {
      this.begun = bytes;
      return NOTHING;
    }
    this.begun = NOTHING;
    this.phase = 'informational';
    this.isLineEmpty = false;
    return bytes;
  }

  private finish(bytes: Buffer): Buffer {
    this.phase = 'final';
    this.begun = NOTHING;
    return bytes;
  }

  /** An empty line ends the head. */
  private skipHead(piece: Buffer): Buffer {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (byte === LINE_FEED && this.isLineEmpty) {
        this.phase = 'start';
        this.skippedBytes += at + 1;
        return piece.subarray(at + 1);
      }
      if (byte !== CARRIAGE_RETURN) this.isLineEmpty = byte === LINE_FEED;
    }
    this.skippedBytes += piece.length;
    return NOTHING;
  }
}
