import type { QueuedRow } from '../../../activities/pump/destination-queue.ts';
import type { Answer } from '../../../activities/pump/allowance.ts';
import { createInFlightWindow, type InFlightWindow } from '../../../activities/pump/in-flight-window.ts';

export interface SimulatedReceiver {
  readonly destinationId: number;
  readonly workspaceId?: string;
  /** Rows per second that the platform sends. */
  readonly arrivalsPerSecond: number;
  /** Optional. Default: 0. */
  readonly backlog?: number;
  /** Draws the answer to a request, and after how long. */
  answer(request: { readonly inFlightCount: number; readonly atMs: number }): { answer: Answer; afterMs: number };
}

export interface SimulatedOptions {
  readonly receivers: readonly SimulatedReceiver[];
  readonly claimMs?: number;
  readonly claimRows?: number;
  readonly workspaceInFlight?: number;
}

interface Pending {
  readonly row: QueuedRow;
  readonly arrivedAtMs: number;
}

export const DESTINATION_IN_FLIGHT = 64;
const DESTINATION_HELD = 256;
const STEP_MS = 1;

/** Drives a window with simulated receivers and a simulated ledger, in simulated time. */
export class Simulation {
  readonly window: InFlightWindow<QueuedRow>;
  readonly startedMs = new Map<number, number[]>();
  readonly settled = new Map<number, number>();
  #nowMs = 0;
  #nextId = 1;
  #read: { readonly rows: QueuedRow[]; readonly atMs: number } | undefined;
  readonly #pending = new Map<number, Map<number, Pending>>();
  readonly #inFlight = new Map<number, number>();
  readonly #answers = new Map<number, { row: QueuedRow; answer: Answer }[]>();
  readonly #options: Required<SimulatedOptions>;

  constructor(options: SimulatedOptions) {
    this.#options = { claimMs: 10, claimRows: 512, workspaceInFlight: 256, ...options };
    const limits = { destinationInFlight: DESTINATION_IN_FLIGHT, destinationHeld: DESTINATION_HELD };
    const { workspaceInFlight } = this.#options;
    this.window = createInFlightWindow({ ...limits, workspaceInFlight, now: () => this.#nowMs });
    for (const receiver of options.receivers) {
      this.#pending.set(receiver.destinationId, new Map());
      this.startedMs.set(receiver.destinationId, []);
      for (let count = 0; count < (receiver.backlog ?? 0); count++) this.#arrive(receiver);
    }
  }

  run(durationMs: number): void {
    for (const untilMs = this.#nowMs + durationMs; this.#nowMs < untilMs; this.#nowMs += STEP_MS) this.#step();
  }

  inFlightCount(destinationId: number): number {
    return this.#inFlight.get(destinationId) ?? 0;
  }

  /** Rows settled since the last call, per second. */
  ratePerSecond(destinationId: number, durationMs: number): number {
    this.settled.set(destinationId, 0);
    this.run(durationMs);
    return (this.settled.get(destinationId)! * 1_000) / durationMs;
  }

  #step(): void {
    for (const receiver of this.#options.receivers) {
      const perStep = (receiver.arrivalsPerSecond * STEP_MS) / 1_000;
      const due = Math.floor((this.#nowMs + STEP_MS) * perStep) - Math.floor(this.#nowMs * perStep);
      for (let count = 0; count < due; count++) this.#arrive(receiver);
    }
    const answers = this.#answers.get(this.#nowMs) ?? [];
    this.#answers.delete(this.#nowMs);
    for (const { row, answer } of answers) this.#settle(row, answer);
    this.#claim();
    this.#send();
  }

  #arrive({ destinationId, workspaceId = `ws_${destinationId}` }: SimulatedReceiver): void {
    const id = this.#nextId++;
    const row = {
      id,
      destinationId,
      shard: destinationId,
      workspaceId,
      conversationKey: id,
      ordering: 'none' as const,
    };
    this.#pending.get(destinationId)!.set(id, { row, arrivedAtMs: this.#nowMs });
  }

  #settle(row: QueuedRow, answer: Answer): void {
    this.#pending.get(row.destinationId)!.delete(row.id);
    this.#inFlight.set(row.destinationId, this.inFlightCount(row.destinationId) - 1);
    this.settled.set(row.destinationId, (this.settled.get(row.destinationId) ?? 0) + 1);
    if (answer === 'accepted') this.window.accepted(row);
    this.window.settled(row, answer);
  }

  /** Reads like the ledger: rows of destinations that hold little come first. */
  #claim(): void {
    if (this.#read && this.#read.atMs > this.#nowMs) return;
    if (this.#read) this.window.add(this.#read.rows);
    this.window.claimBegins();
    const held = new Set(this.window.heldIds());
    const room = this.window.room();
    const counts = this.window.heldCounts();
    const candidates = [...this.#pending].flatMap(([id, pending]) => {
      const heldCount = counts.get(id) ?? 0;
      return firstNotHeld(pending, held, room.get(id) ?? this.window.firstRoom()).map((row, index) => ({
        row,
        place: heldCount + index,
      }));
    });
    candidates.sort((a, b) => a.place - b.place || a.row.id - b.row.id);
    const maxRows = Math.min(this.#options.claimRows, this.window.freeCount());
    const rows = candidates.slice(0, maxRows).map(({ row }) => row);
    this.#read = { rows, atMs: this.#nowMs + this.#options.claimMs };
  }

  #send(): void {
    for (const row of this.window.take()) {
      const receiver = this.#options.receivers.find(({ destinationId }) => destinationId === row.destinationId)!;
      const inFlightCount = this.inFlightCount(row.destinationId) + 1;
      this.#inFlight.set(row.destinationId, inFlightCount);
      const { arrivedAtMs } = this.#pending.get(row.destinationId)!.get(row.id)!;
      this.startedMs.get(row.destinationId)!.push(this.#nowMs - arrivedAtMs);
      const { answer, afterMs } = receiver.answer({ inFlightCount, atMs: this.#nowMs });
      const atMs = this.#nowMs + Math.max(Math.round(afterMs), 1);
      this.#answers.set(atMs, [...(this.#answers.get(atMs) ?? []), { row, answer }]);
    }
  }
}

function firstNotHeld(pending: ReadonlyMap<number, Pending>, held: ReadonlySet<number>, room: number): QueuedRow[] {
  const rows: QueuedRow[] = [];
  for (const { row } of pending.values()) {
    if (rows.length >= room) break;
    if (!held.has(row.id)) rows.push(row);
  }
  return rows;
}
