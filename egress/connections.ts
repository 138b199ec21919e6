import type { buildConnector, Client } from 'undici';
import { Capacity, type CapacityOptions } from './capacity.ts';
import { type ConnectionGroup, createConnectionGroups } from './connection-groups.ts';
import type { Exchange } from './exchange.ts';
import type { NotSentReason } from './result.ts';

/**
 * Grants connections. A request that finds none waits in its group's queue, and its clock starts when it gets one. A
 * group that may use another connection waits for its workspace or, if that has room, for the process. Each connection
 * that becomes free goes to the next group in turn.
 */
export interface ConnectionsOptions {
  readonly connectorOf: (workspaceId: string) => buildConnector.connector;
  readonly maxPerGroup: number;
  readonly maxPerWorkspace: number;
  readonly max: number;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  readonly idleMs: number;
  readonly onWaited: (waitedMs: number) => void;
}

export interface ConnectionStats {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
  readonly oldestWaitMs: number;
}

export interface Connections {
  send(origin: string, exchange: Exchange): void;
  stats(): ConnectionStats;
  /** Drops waiting requests. None starts afterwards. */
  refuseWaiting(reason: NotSentReason): void;
  close(): Promise<void>;
}

/** The part of the waiting requests that one workspace may have. */
const WORKSPACE_SHARE = 1 / 4;

export function createConnections(options: ConnectionsOptions): Connections {
  const { maxPerGroup, max, maxWaiting, maxWaitingBytes, onWaited } = options;
  const total = new Capacity<ConnectionGroup>({ max, maxWaiting, maxWaitingBytes });
  const groups = createConnectionGroups({
    ...options,
    maxOpen: max,
    workspace: workspaceLimits(options),
  });

  let isRefusing = false;

  return {
    send(origin, exchange) {
      if (!exchange.isPermitted()) return exchange.refuse('withdrawn');
      const group = groups.of(origin, exchange.request);
      const { workspace } = group;
      const isFree = group.waiting.size === 0 && group.inUse < maxPerGroup;
      if (!isFree || !workspace.hasRoomFor(group) || !total.hasRoomFor(group)) wait(group, exchange);
      else start(group, exchange);
    },
    stats: () => ({
      inUse: total.inUse,
      idle: groups.openCount() - total.inUse,
      waiting: total.waitingCount,
      oldestWaitMs: total.waitingCount === 0 ? 0 : oldestWaitMs(groups.all()),
    }),
    refuseWaiting(reason) {
      isRefusing = true;
      for (const { waiting } of groups.all()) {
        for (let exchange = waiting.head; exchange; exchange = waiting.head) exchange.refuse(reason);
      }
    },
    close: groups.close,
  };

  function start(group: ConnectionGroup, exchange: Exchange): void {
    const client = groups.take(group);
    group.workspace.inUse++;
    total.inUse++;
    exchange.begin(client, () => released(group, client));
  }

  function released(group: ConnectionGroup, client: Client): void {
    groups.giveBack(group, client);
    group.workspace.inUse--;
    total.inUse--;
    if (group.waiting.size > 0 && (group.inUse === 0 || group.queue === undefined)) {
      group.queue?.remove(group); // without a request under way, it goes before the others
      line(group);
    }
    promote(group.workspace);
    advance();
  }

  function wait(group: ConnectionGroup, exchange: Exchange): void {
    const { workspace } = group;
    const bytes = exchange.byteLength();
    if (!workspace.hasRoomToWait(bytes) || !total.hasRoomToWait(bytes)) {
      exchange.refuse('queue_full');
      groups.forgetIfUnused(group);
      return;
    }
    group.waiting.push(exchange);
    count(group, 1, bytes);
    if (group.inUse < maxPerGroup && group.queue === undefined) line(group);
    exchange.waitForConnection(() => {
      group.waiting.remove(exchange);
      count(group, -1, -bytes);
      if (group.waiting.size > 0) return;
      left(group);
      advance();
    });
  }

  function line(group: ConnectionGroup): void {
    (group.workspace.hasRoomFor(group) ? total : group.workspace).line(group);
  }

  function promote(workspace: Capacity<ConnectionGroup>): void {
    const group = workspace.next();
    if (group) total.line(group);
  }

  function advance(): void {
    if (isRefusing) return;
    for (let group = total.next(); group; group = total.next()) {
      if (!group.workspace.hasRoomFor(group)) group.workspace.line(group);
      else startFirst(group);
    }
  }

  function startFirst(group: ConnectionGroup): void {
    const exchange = group.waiting.shift();
    if (!exchange) return;
    count(group, -1, -exchange.byteLength());
    if (exchange.isPermitted()) {
      onWaited(exchange.waitedMs());
      start(group, exchange);
    } else {
      exchange.drop('withdrawn');
    }
    if (group.waiting.size === 0) left(group);
    else if (group.inUse < maxPerGroup) line(group);
  }

  /** Another group of the workspace takes the place of one that no longer waits. */
  function left(group: ConnectionGroup): void {
    group.queue?.remove(group);
    promote(group.workspace);
    groups.forgetIfUnused(group);
  }

  function count({ workspace }: ConnectionGroup, requests: number, bytes: number): void {
    workspace.countWaiting(requests, bytes);
    total.countWaiting(requests, bytes);
  }
}

function workspaceLimits({ maxPerWorkspace: max, maxWaiting, maxWaitingBytes }: ConnectionsOptions): CapacityOptions {
  return {
    max,
    maxWaiting: Math.ceil(maxWaiting * WORKSPACE_SHARE),
    maxWaitingBytes: maxWaitingBytes * WORKSPACE_SHARE,
  };
}

function oldestWaitMs(groups: Iterable<ConnectionGroup>): number {
  let oldest = 0;
  for (const { waiting } of groups) oldest = Math.max(oldest, waiting.head?.waitedMs() ?? 0);
  return oldest;
}
