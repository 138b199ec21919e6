import { connect, type TLSSocket } from 'node:tls';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { SigningRing } from '../../db/core/signing-keys.ts';
import { type DeliveryOffer, encodeOffers, OFFERS_PROTOCOL } from '../../db/ledger/offers/delivery-offer.ts';
import { readOfferAddresses } from '../../db/ledger/shards/fleet.ts';
import { KEEP_ALIVE_MS, MAX_FRAME_BYTES, readFrames } from '../../process/framed-socket.ts';
import type { Log } from '../../process/log.ts';
import { pskClientOptions } from '../../process/psk-tls.ts';

/**
 * Offers deliveries to the workers that serve their shards, which then need neither a notification nor a claim. Nothing
 * depends on it: pumps claim what was not offered, and what got lost on the way.
 */
export interface OfferDeliveries {
  /** Returns the shards whose deliveries were not offered. */
  offer(offers: readonly DeliveryOffer[]): readonly number[];
  close(): void;
}

export interface OfferDeliveriesOptions {
  readonly pool: HotPool;
  readonly signingRing: SigningRing;
  readonly log: Log;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

interface Peer {
  readonly socket: TLSSocket;
  /** That the worker serves, as it last said. */
  shards: readonly number[];
  /** Of the first offer since the worker last said something. */
  unansweredSinceMs: number | undefined;
}

const REFRESH_MS = 1_000;
/** A worker that does not answer for as long gets no further offers: its machine may be gone. */
const ANSWER_WITHIN_MS = 3_000;
/** A worker that has not read as much gets no further offers. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export function createOfferDeliveries(options: OfferDeliveriesOptions): OfferDeliveries {
  const { pool, signingRing, log, now = () => performance.now() } = options;
  const peers = new Map<string, Peer>();
  const byShard = new Map<number, Peer>();
  let refreshedAtMs = -Infinity;
  let isClosed = false;

  return {
    offer(offers) {
      if (now() - refreshedAtMs > REFRESH_MS) void refresh();
      const left = new Set<number>();
      for (const [peer, some] of Map.groupBy(offers, ({ shard }) => byShard.get(shard))) {
        if (!peer || !send(peer, some)) for (const { shard } of some) left.add(shard);
      }
      return [...left];
    },
    close() {
      isClosed = true;
      for (const { socket } of peers.values()) socket.end();
    },
  };

  /** Only while there are offers, so that an idle process asks nothing. */
  async function refresh(): Promise<void> {
    refreshedAtMs = now();
    try {
      const addresses = new Set(await readOfferAddresses(pool));
      if (isClosed) return;
      for (const address of addresses) if (!peers.has(address)) open(address);
      for (const [address, { socket }] of peers) if (!addresses.has(address)) socket.destroy();
    } catch (error) {
      log.warn('offers.refreshFailed', { error });
    }
  }

  function send(peer: Peer, offers: readonly DeliveryOffer[]): boolean {
    const { socket } = peer;
    if (socket.writableLength > MAX_UNREAD_BYTES) return false;
    peer.unansweredSinceMs ??= now();
    if (now() - peer.unansweredSinceMs > ANSWER_WITHIN_MS) {
      socket.destroy(new Error('The worker does not answer'));
      return false;
    }
    const frame = encodeOffers(offers);
    if (frame.length > MAX_FRAME_BYTES) return false;
    socket.write(frame);
    return true;
  }

  function open(address: string): void {
    const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(address) ?? [];
    if (host === undefined || port === undefined) return;
    const key = signingRing.active('delivery-offers');
    const socket = connect({
      ...pskClientOptions(OFFERS_PROTOCOL, key),
      host,
      port: Number(port),
      timeout: ANSWER_WITHIN_MS,
    });
    const peer: Peer = { socket, shards: [], unansweredSinceMs: undefined };
    peers.set(address, peer);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('timeout', () => socket.destroy());
    socket.on('secureConnect', () => socket.setTimeout(0));
    socket.on('error', (error) => log.debug('offers.lost', { error, address }));
    socket.on('close', () => {
      peers.delete(address);
      assignShards();
    });
    readFrames(socket, ({ value }) => {
      peer.unansweredSinceMs = undefined;
      peer.shards = value as readonly number[];
      peers.delete(address); // the last entry is the peer that answered last
      peers.set(address, peer);
      assignShards();
    });
  }

  /** If two workers name the same shard, the one that answered last serves it. */
  function assignShards(): void {
    byShard.clear();
    for (const peer of peers.values()) for (const shard of peer.shards) byShard.set(shard, peer);
  }
}
