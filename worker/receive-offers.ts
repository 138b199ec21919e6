import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { WorkerPump } from '../activities/pump/worker-pump.ts';
import type { SigningRing } from '../db/core/signing-keys.ts';
import { decodeOffers, OFFERS_PROTOCOL } from '../db/ledger/offers/delivery-offer.ts';
import { encodeFrame, KEEP_ALIVE_MS, readFrames } from '../process/framed-socket.ts';
import type { Log } from '../process/log.ts';
import { pskServerOptions } from '../process/psk-tls.ts';

/**
 * Takes the deliveries that API processes offer and tells these which shards the pump serves. Nothing depends on it: the
 * pump claims what no offer has brought.
 */
export interface OfferReceiver {
  /** `host:port`, where API processes find it. */
  readonly address: string;
  close(): void;
}

export interface OfferReceiverOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly signingRing: SigningRing;
  readonly pump: Pick<WorkerPump, 'offer' | 'onShards' | 'shards'>;
  /** Notifies the worker that serves these shards. */
  readonly passOn: (shards: readonly number[]) => void;
  readonly log: Log;
}

/** From an offer to its answer. An API gives a worker up that has not answered for 3 s. */
const ANSWER_MS = 1_000;
/** A peer without the key holds a connection for no longer. */
const HANDSHAKE_MS = 5_000;
/** An API repeats a refused handshake every second, and anyone who reaches the port can cause one. */
const REFUSED_LOG_MS = 60_000;
/** Each API process has one. */
const MAX_CONNECTIONS = 1_000;

export async function receiveOffers(options: OfferReceiverOptions): Promise<OfferReceiver> {
  const { host, port, signingRing, pump, passOn, log } = options;
  const sockets = new Set<TLSSocket>();
  const find = (keyId: string) => signingRing.find('delivery-offers', keyId);
  const server = createServer({ ...pskServerOptions(OFFERS_PROTOCOL, find), handshakeTimeout: HANDSHAKE_MS }, receive);
  server.maxConnections = MAX_CONNECTIONS;
  let refusedAtMs = -Infinity;
  server.on('tlsClientError', (error, { remoteAddress: address }) => {
    if (performance.now() - refusedAtMs < REFUSED_LOG_MS) return;
    refusedAtMs = performance.now();
    log.warn('offers.refused', { error, address });
  });
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', (error) => log.warn('offers.receiveFailed', { error }));
  pump.onShards(() => sockets.forEach(sendShards));
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    address: family === 'IPv6' ? `[${address}]:${bound}` : `${address}:${bound}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };

  function receive(socket: TLSSocket): void {
    let answering: NodeJS.Timeout | undefined;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('error', (error) => log.debug('offers.lost', { error }));
    socket.on('close', () => {
      clearTimeout(answering);
      sockets.delete(socket);
    });
    readFrames(socket, (frame) => {
      passOn(pump.offer(decodeOffers(frame)));
      answering ??= setTimeout(() => {
        answering = undefined;
        sendShards(socket);
      }, ANSWER_MS);
    });
    sendShards(socket);
  }

  function sendShards(socket: TLSSocket): void {
    socket.write(encodeFrame(pump.shards()));
  }
}
