import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerSpec, Probe } from './pod-spec.ts';

export interface Probing {
  readonly isReady: () => boolean;
  /** Failed liveness probes in a row, at most. A kubelet restarts the container at failureThreshold. */
  readonly worstLiveness: () => number;
  readonly stop: () => Promise<void>;
}

interface Target {
  readonly spec: ContainerSpec;
  readonly address: string;
}

/** As a kubelet: the startup probe first, then liveness and readiness at their own intervals. */
export function startProbes({ spec, address }: Target): Probing {
  const stopping = new AbortController();
  const { signal } = stopping;
  let ready = false;
  let liveFailures = 0;
  let worst = 0;
  let startFailures = 0;
  const { startupProbe, livenessProbe, readinessProbe } = spec;
  if (!startupProbe || !livenessProbe || !readinessProbe) throw new Error(`${spec.name} lacks a probe.`);

  const passes = (probe: Probe): Promise<boolean> => answersOk({ probe, spec, address });
  const repeat = async (probe: Probe, note: (passed: boolean) => void): Promise<void> => {
    while (!signal.aborted) {
      note(await passes(probe));
      await sleep(probe.periodSeconds * 1000, undefined, { signal }).catch(() => undefined);
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted && !(await passes(startupProbe))) {
      startFailures += 1;
      if (startFailures >= startupProbe.failureThreshold) throw new Error(`${spec.name} did not start in time.`);
      await sleep(startupProbe.periodSeconds * 1000, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all([
      repeat(livenessProbe, (passed) => {
        liveFailures = passed ? 0 : liveFailures + 1;
        if (!signal.aborted) worst = Math.max(worst, liveFailures);
      }),
      repeat(readinessProbe, (passed) => (ready = passed)),
    ]);
  };
  let failure: Error | undefined;
  const running = run().catch((cause: unknown) => {
    failure = new Error(`The probes of ${spec.name} failed.`, { cause });
  });
  return {
    isReady() {
      if (failure) throw failure;
      return ready;
    },
    worstLiveness: () => worst,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function answersOk({ probe, spec, address }: Target & { probe: Probe }): Promise<boolean> {
  const { path, port } = probe.httpGet;
  const found = spec.ports.find(({ name }) => name === port);
  if (!found) throw new Error(`${spec.name} has no port ${port}.`);
  try {
    const signal = AbortSignal.timeout(probe.timeoutSeconds * 1000);
    const response = await fetch(`http://${address}:${found.containerPort}${path}`, { signal });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
