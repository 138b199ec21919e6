export interface CapacityOptions {
  readonly max: number;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}

interface WaitingGroup<Group extends Linked<Group>> extends Linked<Group> {
  /** Requests under way. */
  readonly inUse: number;
}

/** Kept for groups without a request under way, so that many slow groups cannot shut a healthy one out. */
const RESERVED_SHARE = 1 / 8;

/**
 * The connections that a workspace or the process may use, and the groups that wait for one of them. Groups take turns,
 * those without a request under way before the others.
 */
export class Capacity<Group extends WaitingGroup<Group>> {
  inUse = 0;
  waitingCount = 0;

  private readonly options: CapacityOptions;
  private readonly reserved: number;
  private waitingBytes = 0;
  private readonly withNone = new LinkedQueue<Group>();
  private readonly withSome = new LinkedQueue<Group>();

  constructor(options: CapacityOptions) {
    this.options = options;
    this.reserved = Math.floor(options.max * RESERVED_SHARE);
  }

  hasRoomFor(group: Group): boolean {
    return this.inUse < this.limit(group.inUse > 0);
  }

  /** Returns false if no more requests may wait. */
  hasRoomToWait(bytes: number): boolean {
    const { maxWaiting, maxWaitingBytes } = this.options;
    return this.waitingCount < maxWaiting && this.waitingBytes + bytes <= maxWaitingBytes;
  }

  countWaiting(requests: number, bytes: number): void {
    this.waitingCount += requests;
    this.waitingBytes += bytes;
  }

  line(group: Group): void {
    (group.inUse === 0 ? this.withNone : this.withSome).push(group);
  }

  /** Removes and returns the group whose turn it is, if a connection is free for it. */
  next(): Group | undefined {
    if (this.withNone.size > 0) return this.inUse < this.limit(false) ? this.withNone.shift() : undefined;
    return this.withSome.size > 0 && this.inUse < this.limit(true) ? this.withSome.shift() : undefined;
  }

  private limit(hasSome: boolean): number {
    return hasSome ? this.options.max - this.reserved : this.options.max;
  }
}

export interface Linked<Entry extends Linked<Entry>> {
  previous: Entry | undefined;
  next: Entry | undefined;
  /** Undefined outside queues. */
  queue: LinkedQueue<Entry> | undefined;
}

/** First in, first out. Entries hold their own links, so that any of them leaves in constant time. */
export class LinkedQueue<Entry extends Linked<Entry>> {
  head: Entry | undefined;
  size = 0;
  private tail: Entry | undefined;

  push(entry: Entry): void {
    entry.queue = this;
    entry.previous = this.tail;
    if (this.tail) this.tail.next = entry;
    else this.head = entry;
    this.tail = entry;
    this.size++;
  }

  shift(): Entry | undefined {
    const entry = this.head;
    if (entry) this.remove(entry);
    return entry;
  }

  remove(entry: Entry): void {
    const { previous, next } = entry;
    if (previous) previous.next = next;
    else this.head = next;
    if (next) next.previous = previous;
    else this.tail = previous;
    entry.previous = entry.next = entry.queue = undefined;
    this.size--;
  }
}
