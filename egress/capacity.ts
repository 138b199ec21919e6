import { type Linked, LinkedQueue } from './linked-queue.ts';

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
