import { setTimeout as sleep } from 'node:timers/promises';
import { REMEMBER_MS } from '../../../activities/pump/offers.ts';
import { SHARD_COUNT } from '../../../contract/deliveries/shards.ts';
import type { DestinationOrdering } from '../../../contract/deliveries/status.ts';
import { type Random, randomFrom } from '../random.ts';
import { startVirtualTime, type VirtualTime } from '../time/virtual-time.ts';
import { isWaiting, type ModelDelivery, ModelLedger } from './model-ledger.ts';
import { type Trouble, SimulatedReceivers, type SimulatedRequest } from './simulated-receiver.ts';
import {
  DESTINATION_IN_FLIGHT,
  scheduleMs,
  SimulatedWorker,
  STATEMENT_MS,
  type Surroundings,
} from './simulated-worker.ts';

/** What happens, and when. Workers are chosen among those that run, by a number. */
export type Act = { readonly atMs: number } & (
  | { readonly kind: 'accept'; readonly destination: number; readonly conversation: number; readonly count: number }
  | { readonly kind: 'edit'; readonly destination: number }
  | { readonly kind: 'trouble'; readonly destination: number; readonly trouble: Trouble; readonly forMs: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' | 'crash'; readonly worker: number }
  | { readonly kind: 'cut'; readonly worker: number; readonly forMs: number }
  | { readonly kind: 'outage' | 'slow' | 'flaky'; readonly forMs: number }
);

export interface Scenario {
  readonly seed: number;
  readonly workers: number;
  /** The times of all acts are multiplied by it. */
  readonly stretch: number;
  readonly acts: readonly Act[];
}

/** The last one keeps no order. */
export const orderings: readonly DestinationOrdering[] = ['conversation', 'conversation', 'conversation', 'none'];

const SLOW_STATEMENT_MS = 1_500;
const FLAKY_SHARE = 0.2;
/** Until the first act. Pumps take no offers before. */
const WARM_UP_MS = REMEMBER_MS + 1_000;
/** From the last act until everything is delivered, at most. */
const END_MS = 900_000;
/** Until a pump that was notified of a change sends no request to an earlier address. */
const EDIT_MS = 1_000;
/** From the commit, or the answer to the request before, to the request in a fleet without trouble. */
const FAIR_MS = 5_000;

/** Runs pumps against a model of the ledger on a virtual clock. Returns what is wrong. */
export async function simulate(scenario: Scenario): Promise<readonly string[]> {
  const time = startVirtualTime();
  const ownRandom = Math.random;
  const random = randomFrom(scenario.seed);
  Math.random = () => random.between(0, 1);
  try {
    return await new Simulation(scenario, time, random).run();
  } finally {
    Math.random = ownRandom;
    time.end();
  }
}

class Simulation {
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #model = new ModelLedger();
  readonly #receivers: SimulatedReceivers;
  readonly #around: Surroundings;
  readonly #workers: SimulatedWorker[] = [];
  readonly #accepts: { readonly ids: readonly number[]; readonly beganAtMs: number; committedAtMs: number }[] = [];
  readonly #editedAtMs = new Map<string, number>();
  readonly #busyIds = new Set<number>();
  #nextId = 1;
  #slowUntilMs = -Infinity;
  #flakyUntilMs = -Infinity;
  #hasEnded = false;

  constructor(scenario: Scenario, time: VirtualTime, random: Random) {
    this.#scenario = scenario;
    this.#time = time;
    this.#random = random;
    this.#receivers = new SimulatedReceivers(random);
    this.#around = {
      model: this.#model,
      receivers: this.#receivers,
      random,
      statementMs: () => (Date.now() < this.#slowUntilMs ? SLOW_STATEMENT_MS : STATEMENT_MS),
      failingShare: () => (Date.now() < this.#flakyUntilMs ? FLAKY_SHARE : 0),
    };
    orderings.forEach((ordering, index) =>
      this.#model.add({ id: index, shard: (index * 101) % SHARD_COUNT, ordering }),
    );
    this.#model.onNotified = (shards, change) =>
      this.#workers.forEach((worker) => void worker.notified(shards, change));
  }

  async run(): Promise<readonly string[]> {
    for (let count = 0; count < this.#scenario.workers; count++) this.#start();
    void this.#runWorkflows();
    for (const act of this.#scenario.acts.toSorted((a, b) => a.atMs - b.atMs)) {
      await this.#time.runUntil(WARM_UP_MS + act.atMs * this.#scenario.stretch);
      this.#act(act);
    }
    await this.#time.runUntil(this.#time.now() + 1_000);
    this.#heal();
    const endMs = this.#time.now() + END_MS;
    while (this.#time.now() < endMs && this.#waiting().length > 0) await this.#time.runUntil(this.#time.now() + 1_000);
    await this.#time.runUntil(this.#time.now() + 1_000);
    const running = await this.#stopAll();
    return [...running, ...this.#problems()];
  }

  #act(act: Act): void {
    const { receivers } = this.#around;
    switch (act.kind) {
      case 'accept':
        return void this.#accept(act);
      case 'edit': {
        this.#model.edit(act.destination);
        const { version } = this.#model.destinations.get(act.destination)!;
        return void this.#editedAtMs.set(urlOf(act.destination, version), Date.now());
      }
      case 'trouble':
        return receivers.begin(act.destination, act.trouble, act.forMs);
      case 'start':
        return this.#start();
      case 'stop':
        this.#chosen(act.worker)?.stop();
        return this.#keepOne();
      case 'crash':
        this.#chosen(act.worker)?.crash();
        return this.#keepOne();
      case 'cut':
        return this.#chosen(act.worker)?.cut(act.forMs);
      case 'outage':
        return this.#workers.forEach((worker) => worker.cut(act.forMs));
      case 'slow':
        return void (this.#slowUntilMs = Date.now() + act.forMs);
      case 'flaky':
        return void (this.#flakyUntilMs = Date.now() + act.forMs);
    }
  }

  #start(): void {
    this.#workers.push(new SimulatedWorker(`worker/${this.#workers.length}`, this.#around));
  }

  #keepOne(): void {
    if (!this.#workers.some(({ isRunning }) => isRunning)) this.#start();
  }

  #chosen(number: number): SimulatedWorker | undefined {
    const running = this.#workers.filter(({ isRunning }) => isRunning);
    return running[number % Math.max(running.length, 1)];
  }

  /** As the API does: ids first, then the commit, and then the offer, or a notification, or neither if it stopped. */
  async #accept({ destination, conversation, count }: Extract<Act, { kind: 'accept' }>): Promise<void> {
    const ids = Array.from({ length: count }, () => this.#nextId++);
    const before = this.#model.waitingIds(destination, conversation);
    const accept = { ids, beganAtMs: Date.now(), committedAtMs: Infinity };
    this.#accepts.push(accept);
    await sleep(this.#random.chance(0.1) ? this.#random.between(0, 300) : this.#random.between(0, 3));
    const offers = this.#model.accept(ids, { destinationId: destination, conversationKey: conversation, before });
    accept.committedAtMs = Date.now();
    if (this.#random.chance(0.1)) return;
    await sleep(this.#random.between(0.1, 3));
    const holder = this.#model.holderOf(offers[0]!.shard);
    const worker = this.#workers.find((one) => one.holder === holder && !one.isDead);
    const isOffered = worker && this.#random.chance(0.8);
    const unheard = isOffered ? worker.pump.offer(offers) : offers.map(({ shard }) => shard);
    if (unheard.length > 0) this.#model.onNotified(unheard);
  }

  /** The workflows of deliveries and circuits, which do not depend on the pumps. */
  async #runWorkflows(): Promise<void> {
    while (!this.#hasEnded) {
      await sleep(200);
      for (const destination of this.#model.destinations.values()) {
        if (destination.circuit === 'closed' || destination.probeAtMs > Date.now()) continue;
        if (this.#receivers.troubleOf(destination.id) === undefined) this.#model.closeCircuit(destination);
        else destination.probeAtMs = Date.now() + 2_000;
      }
      for (const delivery of this.#waiting()) {
        const { status, isOfPump, nextAttemptAtMs, destination, id } = delivery;
        const isDue = status === 'retrying' && !isOfPump && nextAttemptAtMs! <= Date.now() && !this.#busyIds.has(id);
        if (isDue && destination.circuit === 'closed') void this.#attemptScheduled(delivery);
      }
    }
  }

  async #attemptScheduled(delivery: ModelDelivery): Promise<void> {
    const { id, destination, conversationKey, attemptCount, failedInSchedule } = delivery;
    this.#busyIds.add(id);
    const url = urlOf(destination.id, destination.version);
    const to = { destinationId: destination.id, conversationKey, url };
    const sent = { worker: 'workflow', holder: 'workflow', deliveryId: id, ...to };
    const { outcome } = await this.#receivers.post(sent, attemptCount + 1);
    this.#model.settleScheduled(delivery, {
      isAccepted: outcome === 'accepted',
      delayMs: scheduleMs[failedInSchedule],
    });
    this.#busyIds.delete(id);
  }

  #waiting(): readonly ModelDelivery[] {
    return [...this.#model.deliveries.values()].filter(isWaiting);
  }

  #heal(): void {
    this.#receivers.recover();
    this.#slowUntilMs = -Infinity;
    this.#flakyUntilMs = -Infinity;
    for (const worker of this.#workers) worker.reconnect();
  }

  async #stopAll(): Promise<readonly string[]> {
    this.#hasEnded = true;
    const live = this.#workers.filter(({ isDead }) => !isDead);
    const stopped = new Set<string>();
    for (const worker of live) {
      worker.stop();
      void worker.stopping!.then(() => stopped.add(worker.holder));
    }
    await this.#time.runUntil(this.#time.now() + 60_000);
    return live.flatMap(({ holder }) => (stopped.has(holder) ? [] : `${holder} does not stop`));
  }

  #problems(): readonly string[] {
    const requests = Map.groupBy(this.#receivers.requests, ({ deliveryId }) => deliveryId);
    return [
      ...this.#lost(requests),
      ...this.#repeated(requests),
      ...this.#disordered(requests),
      ...this.#simultaneous(),
      ...this.#unleased(),
      ...this.#overLimits(),
      ...this.#outdated(),
      ...this.#unfair(requests),
    ];
  }

  #lost(requests: Requests): readonly string[] {
    return [...this.#model.deliveries.values()].flatMap(({ id, status }) => {
      const isAccepted = requests.get(id)?.some(({ acceptedAtMs }) => acceptedAtMs !== undefined) ?? false;
      return isAccepted && status === 'delivered' ? [] : `${id} is ${status}, ${isAccepted ? '' : 'not '}accepted`;
    });
  }

  /** A crash, or a lease that expired, repeats what was not settled. Nothing else does. */
  #repeated(requests: Requests): readonly string[] {
    const mayRepeat = this.#scenario.acts.filter(losesLeases).length;
    return [...requests].flatMap(([id, all]) => {
      const count = all.filter(({ acceptedAtMs }) => acceptedAtMs !== undefined).length;
      return count > 1 + mayRepeat ? `${id} was accepted ${count} times` : [];
    });
  }

  /** Of deliveries whose order was known: one was committed before the acceptance of the other began. */
  #disordered(requests: Requests): readonly string[] {
    const acceptOf = new Map(this.#accepts.flatMap((accept) => accept.ids.map((id) => [id, accept] as const)));
    const firstAtMs = (id: number): number =>
      Math.min(...(requests.get(id) ?? []).map(({ acceptedAtMs = Infinity }) => acceptedAtMs));
    const ordered = [...this.#model.deliveries.values()].filter(({ destination }) => destination.ordering !== 'none');
    const conversations = Map.groupBy(ordered, (one) => `${one.destination.id} ${one.conversationKey}`);
    return [...conversations.values()].flatMap((deliveries) =>
      deliveries.flatMap(({ id }) =>
        deliveries.flatMap(({ id: other }) => {
          const [own, others] = [acceptOf.get(id)!, acceptOf.get(other)!];
          const isBefore = own === others ? id < other : own.committedAtMs <= others.beganAtMs;
          return isBefore && firstAtMs(id) > firstAtMs(other) ? `${other} was accepted before ${id}` : [];
        }),
      ),
    );
  }

  /** While no worker loses its leases, an ordered conversation has one request at a time. */
  #simultaneous(): readonly string[] {
    if (this.#scenario.acts.some(losesLeases)) return [];
    const ordered = this.#receivers.requests.filter(({ destinationId }) => orderings[destinationId] !== 'none');
    const conversations = Map.groupBy(ordered, (one) => `${one.destinationId} ${one.conversationKey}`);
    return [...conversations.values()].flatMap((all) =>
      all.flatMap((one, index) => {
        const before = all[index - 1];
        const isSame = before && (before.endedAtMs ?? Infinity) > one.beganAtMs;
        return isSame
          ? `${one.deliveryId} was sent by ${one.worker} during ${before.deliveryId} by ${before.worker}`
          : [];
      }),
    );
  }

  #unleased(): readonly string[] {
    return this.#receivers.requests.flatMap(({ deliveryId, worker, holder }) =>
      holder === worker ? [] : `${worker} sent ${deliveryId} of a shard of ${holder}`,
    );
  }

  #overLimits(): readonly string[] {
    const byWorker = Map.groupBy(this.#receivers.requests, ({ worker, destinationId }) => `${worker} ${destinationId}`);
    return [...byWorker].flatMap(([key, all]) => {
      if (key.startsWith('workflow')) return [];
      const most = Math.max(...all.map((one) => all.filter((other) => isDuring(one, other)).length));
      return most > DESTINATION_IN_FLIGHT ? `${key} had ${most} requests in flight` : [];
    });
  }

  #outdated(): readonly string[] {
    if (this.#scenario.acts.some(losesLeases)) return [];
    return this.#receivers.requests.flatMap(({ url, beganAtMs, deliveryId }) => {
      const [destination, version] = url.split('/').slice(-2).map(Number) as [number, number];
      const changedAtMs = this.#editedAtMs.get(urlOf(destination, version + 1)) ?? Infinity;
      return beganAtMs > changedAtMs + EDIT_MS ? `${deliveryId} was sent to the earlier address ${url}` : [];
    });
  }

  /** A receiver that is only slow gets the next request of a conversation soon after the answer to the one before. */
  #unfair(requests: Requests): readonly string[] {
    const { acts } = this.#scenario;
    if (acts.some((act) => losesLeases(act) || act.kind === 'slow' || act.kind === 'flaky')) return [];
    const failing = new Set(
      acts.flatMap((act) => (act.kind === 'trouble' && act.trouble !== 'slow' ? act.destination : [])),
    );
    return this.#accepts.flatMap(({ ids, committedAtMs }) =>
      ids.flatMap((id) => {
        const { destination, conversationKey } = this.#model.deliveries.get(id)!;
        const { beganAtMs = Infinity } = requests.get(id)?.[0] ?? {};
        const isAhead = (one: SimulatedRequest): boolean =>
          one.destinationId === destination.id &&
          (destination.ordering === 'none' || one.conversationKey === conversationKey) &&
          one.beganAtMs < beganAtMs;
        const ends = this.#receivers.requests.filter(isAhead).map(({ endedAtMs = Infinity }) => endedAtMs);
        const waitMs = beganAtMs - Math.max(committedAtMs, ...ends.filter((atMs) => atMs <= beganAtMs));
        return !failing.has(destination.id) && waitMs > FAIR_MS ? `${id} waited for ${Math.round(waitMs)} ms` : [];
      }),
    );
  }
}

type Requests = ReadonlyMap<number, readonly SimulatedRequest[]>;

function losesLeases({ kind }: Act): boolean {
  return kind === 'crash' || kind === 'cut' || kind === 'outage';
}

function isDuring(one: SimulatedRequest, other: SimulatedRequest): boolean {
  return other.beganAtMs <= one.beganAtMs && (other.endedAtMs ?? Infinity) > one.beganAtMs;
}

function urlOf(destination: number, version: number): string {
  return `https://receiver/${destination}/${version}`;
}
