import { Client, type buildConnector } from 'undici';
import { Capacity, type CapacityOptions, type Linked, LinkedQueue } from './capacity.ts';
import { MAX_HEAD_BYTES } from './connector.ts';
import type { Exchange } from './exchange.ts';
import type { GroupKey, GroupOwner } from './result.ts';

/** The connections of one destination, or of one kind of probe, to an origin. Its queue is that of a `Capacity`. */
export interface ConnectionGroup extends Linked<ConnectionGroup> {
  readonly origin: string;
  readonly key: GroupKey;
  readonly workspace: WorkspaceCapacity;
  /** Most recently used last. */
  readonly free: Client[];
  readonly waiting: LinkedQueue<Exchange>;
  inUse: number;
  idleSinceMs: number;
}

export interface ConnectionGroupsOptions {
  /** Returns what opens the connections of a workspace. */
  readonly connectorOf: (workspaceId: string) => buildConnector.connector;
  /** Idle connections are closed to stay within it. */
  readonly maxOpen: number;
  readonly workspace: CapacityOptions;
  readonly idleMs: number;
}

export interface ConnectionGroups {
  of(origin: string, owner: GroupOwner): ConnectionGroup;
  /** The caller must make sure that fewer than `maxOpen` connections are in use. */
  take(group: ConnectionGroup): Client;
  giveBack(group: ConnectionGroup, client: Client): void;
  forgetIfUnused(group: ConnectionGroup): void;
  all(): Iterable<ConnectionGroup>;
  openCount(): number;
  close(): Promise<void>;
}

class WorkspaceCapacity extends Capacity<ConnectionGroup> {
  readonly id: string;
  readonly connect: buildConnector.connector;
  groupCount = 0;

  constructor(id: string, connect: buildConnector.connector, options: CapacityOptions) {
    super(options);
    this.id = id;
    this.connect = connect;
  }
}

/** Servers close idle connections after five seconds or more. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 30_000;

export function createConnectionGroups(options: ConnectionGroupsOptions): ConnectionGroups {
  const { connectorOf, maxOpen, idleMs } = options;
  const origins = new Map<string, Map<GroupKey, ConnectionGroup>>();
  const workspaces = new Map<string, WorkspaceCapacity>();
  /** Undici's pool would open another connection for a request that directly follows a response. */
  const open = new Set<Client>();
  /** Groups with free connections, in the order in which they got one. */
  const spare = new Set<ConnectionGroup>();
  const sweep = setInterval(() => closeIdleSince(performance.now() - idleMs), idleMs).unref();

  return {
    of(origin, { workspaceId = '', group: key = workspaceId }) {
      return origins.get(origin)?.get(key) ?? add(origin, key, workspaceId);
    },
    take(group) {
      group.inUse++;
      const known = group.free.pop();
      if (known) {
        if (group.free.length === 0) spare.delete(group);
        return known;
      }
      if (open.size >= maxOpen) closeOneIdle();
      const client = openClient(group.origin, group.workspace.connect);
      open.add(client);
      return client;
    },
    giveBack(group, client) {
      group.inUse--;
      group.free.push(client);
      if (group.free.length === 1) spare.add(group);
      if (group.inUse === 0) group.idleSinceMs = performance.now();
    },
    forgetIfUnused,
    *all() {
      for (const groups of origins.values()) yield* groups.values();
    },
    openCount: () => open.size,
    async close() {
      clearInterval(sweep);
      await Promise.all(Array.from(open, (client) => client.destroy()));
      for (const collection of [open, spare, origins, workspaces]) collection.clear();
    },
  };

  function add(origin: string, key: GroupKey, workspaceId: string): ConnectionGroup {
    const workspace =
      workspaces.get(workspaceId) ?? new WorkspaceCapacity(workspaceId, connectorOf(workspaceId), options.workspace);
    const group = openGroup({ origin, key, workspace });
    const groups = origins.get(origin) ?? new Map<GroupKey, ConnectionGroup>();
    origins.set(origin, groups.set(key, group));
    workspaces.set(workspaceId, workspace);
    workspace.groupCount++;
    return group;
  }

  function forgetIfUnused({ origin, key, workspace, inUse, free, waiting }: ConnectionGroup): void {
    if (inUse + free.length + waiting.size > 0) return;
    const groups = origins.get(origin);
    if (!groups?.delete(key)) return;
    if (groups.size === 0) origins.delete(origin);
    if (--workspace.groupCount === 0) workspaces.delete(workspace.id);
  }

  function closeOneIdle(): void {
    const [group] = spare;
    if (group) closeFirst(group);
  }

  function closeIdleSince(cutoffMs: number): void {
    for (const group of spare) {
      if (group.inUse > 0 || group.idleSinceMs > cutoffMs) continue;
      while (group.free.length > 0) closeFirst(group);
    }
  }

  function closeFirst(group: ConnectionGroup): void {
    const client = group.free.shift();
    if (group.free.length === 0) spare.delete(group);
    if (client) {
      open.delete(client);
      void client.destroy();
    }
    forgetIfUnused(group);
  }
}

function openGroup(named: Pick<ConnectionGroup, 'origin' | 'key' | 'workspace'>): ConnectionGroup {
  const links = { previous: undefined, next: undefined, queue: undefined };
  return { ...named, ...links, free: [], waiting: new LinkedQueue(), inUse: 0, idleSinceMs: 0 };
}

function openClient(origin: string, connect: buildConnector.connector): Client {
  return new Client(origin, {
    connect,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
    // Disabled, because each exchange has one absolute deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
