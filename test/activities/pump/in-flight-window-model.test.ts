import test from 'ava';
import fc from 'fast-check';
import type { QueuedRow } from '../../../activities/pump/destination-queue.ts';
import { createInFlightWindow, type WindowLimits } from '../../../activities/pump/in-flight-window.ts';

/** Compares a window with a model of the ledger after every random step. */
type Step =
  | { readonly kind: 'arrive'; readonly destination: number; readonly conversation: number; readonly late: boolean }
  | { readonly kind: 'read'; readonly count: number }
  | { readonly kind: 'bring' | 'take' }
  | { readonly kind: 'accept' | 'fail' | 'settle'; readonly pick: number };

const limits: WindowLimits = { destinationInFlight: 3, workspaceInFlight: 4, destinationHeld: 6, now: () => 0 };

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('arrive' as const),
      destination: fc.integer({ min: 1, max: 3 }),
      conversation: fc.integer({ min: 1, max: 3 }),
      late: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('read' as const), count: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ kind: fc.constantFrom('bring' as const, 'take' as const) }),
    fc.record({ kind: fc.constantFrom('accept' as const, 'fail' as const, 'settle' as const), pick: fc.nat() }),
  ),
  { minLength: 20, maxLength: 200 },
);

type State = 'in flight' | 'accepted' | 'failed';

class WindowModel {
  readonly window = createInFlightWindow<QueuedRow>(limits);
  readonly pending = new Map<number, QueuedRow>();
  readonly inFlight = new Map<number, { row: QueuedRow; state: State }>();
  readonly delivered: QueuedRow[] = [];
  #nextId = 10;
  #holes: number[] = [];
  #read: QueuedRow[] | undefined;
  #clock = 0;
  readonly #arrivedAt = new Map<number, number>();
  readonly #readAt = new Map<number, number>();

  run(step: Step): void {
    switch (step.kind) {
      case 'arrive':
        return this.#arrive(step);
      case 'read':
        return this.#claimReads(step.count);
      case 'bring':
        return this.#claimBrings();
      case 'take':
        return this.#take();
      case 'accept':
        return this.#answer(step.pick, 'accepted');
      case 'fail':
        return this.#answer(step.pick, 'failed');
      case 'settle':
        return this.#settle(step.pick);
    }
  }

  finish(): void {
    while (this.pending.size > 0) {
      this.#claimBrings();
      this.#claimReads(8);
      this.#claimBrings();
      this.#take();
      if (this.inFlight.size === 0) throw new Error(`stuck with ${[...this.pending.keys()].join()}`);
      for (let count = this.inFlight.size; count > 0; count--) this.#answer(0, 'accepted');
      for (let count = this.inFlight.size; count > 0; count--) this.#settle(0);
    }
    if (this.window.heldCount() !== 0) throw new Error('rows are held forever');
  }

  /** A late row has a lower id than existing rows, because its transaction took longer. */
  #arrive({ destination, conversation, late }: Extract<Step, { kind: 'arrive' }>): void {
    const hole = late ? this.#holes.shift() : undefined;
    const id = hole ?? (this.#nextId += 2);
    if (hole === undefined) this.#holes.push(id - 1);
    const ordering = destination === 3 ? 'none' : 'conversation';
    const workspaceId = destination === 1 ? 'ws_a' : 'ws_b';
    this.#arrivedAt.set(id, this.#clock++);
    const place = { destinationId: destination, shard: destination, workspaceId, conversationKey: conversation };
    this.pending.set(id, { id, ...place, ordering });
  }

  #claimReads(count: number): void {
    if (this.#read) return;
    this.window.claimBegins();
    const held = new Set(this.window.heldIds());
    const room = this.window.room();
    const rows: QueuedRow[] = [];
    for (const row of [...this.pending.values()].sort((a, b) => a.id - b.id)) {
      const left = room.get(row.destinationId) ?? limits.destinationHeld;
      if (held.has(row.id) || left === 0 || rows.length === count) continue;
      room.set(row.destinationId, left - 1);
      rows.push(row);
      this.#readAt.set(row.id, this.#clock++);
    }
    this.#read = rows;
  }

  #claimBrings(): void {
    if (!this.#read) return;
    this.window.add(this.#read);
    this.#read = undefined;
    this.#check();
  }

  #take(): void {
    for (const row of this.window.take()) {
      if (this.inFlight.has(row.id)) throw new Error(`row ${row.id} was taken twice`);
      if (!this.pending.has(row.id)) throw new Error(`row ${row.id} is settled`);
      this.#checkOrder(row);
      this.inFlight.set(row.id, { row, state: 'in flight' });
    }
    this.#check();
    const waiting = this.window.take();
    if (waiting.length > 0) throw new Error('a second take found more');
  }

  #answer(pick: number, state: 'accepted' | 'failed'): void {
    const open = [...this.inFlight.values()].filter((each) => each.state === 'in flight');
    const chosen = open[pick % open.length];
    if (!chosen) return;
    chosen.state = state;
    if (state === 'accepted') this.window.accepted(chosen.row);
    this.#check();
  }

  #settle(pick: number): void {
    const answered = [...this.inFlight.values()].filter((each) => each.state !== 'in flight');
    const chosen = answered[pick % answered.length];
    if (!chosen || chosen.state === 'in flight') return;
    this.inFlight.delete(chosen.row.id);
    this.pending.delete(chosen.row.id);
    this.delivered.push(chosen.row);
    this.window.settled(chosen.row, chosen.state);
    this.#check();
  }

  /** No other unaccepted row of the conversation may be in flight, and no lower visible row may be waiting. */
  #checkOrder(row: QueuedRow): void {
    if (row.ordering === 'none') return;
    const isSame = (other: QueuedRow): boolean =>
      other.id !== row.id && other.destinationId === row.destinationId && other.conversationKey === row.conversationKey;
    for (const { row: other, state } of this.inFlight.values()) {
      if (isSame(other) && state !== 'accepted') throw new Error(`${row.id} was taken while ${other.id} is ${state}`);
    }
    const held = new Set(this.window.heldIds());
    for (const other of this.pending.values()) {
      if (!isSame(other) || other.id > row.id || this.inFlight.has(other.id)) continue;
      const wasThere = this.#arrivedAt.get(other.id)! < this.#readAt.get(row.id)!;
      if (held.has(other.id) || wasThere) throw new Error(`${row.id} was taken before ${other.id}`);
    }
  }

  #check(): void {
    const byDestination = new Map<number, number>();
    const byWorkspace = new Map<string, number>();
    for (const { row, state } of this.inFlight.values()) {
      if (state === 'accepted') continue;
      byDestination.set(row.destinationId, (byDestination.get(row.destinationId) ?? 0) + 1);
      byWorkspace.set(row.workspaceId, (byWorkspace.get(row.workspaceId) ?? 0) + 1);
    }
    if (Math.max(0, ...byDestination.values()) > limits.destinationInFlight)
      throw new Error('destination over its limit');
    if (Math.max(0, ...byWorkspace.values()) > limits.workspaceInFlight) throw new Error('workspace over its limit');
    const held = new Set(this.window.heldIds());
    for (const id of this.inFlight.keys()) if (!held.has(id)) throw new Error(`${id} is in flight and not held`);
    for (const id of held) if (!this.pending.has(id)) throw new Error(`${id} is held and settled`);
    if (held.size !== this.window.heldCount()) throw new Error('heldCount is wrong');
  }
}

test('any sequence keeps order and limits and delivers rows once', (t) => {
  fc.assert(
    fc.property(steps, (run) => {
      const model = new WindowModel();
      let arrived = 0;
      for (const step of run) {
        model.run(step);
        if (step.kind === 'arrive') arrived++;
      }
      model.finish();
      return model.delivered.length === arrived && new Set(model.delivered).size === arrived;
    }),
    { numRuns: 300 },
  );
  t.pass();
});
