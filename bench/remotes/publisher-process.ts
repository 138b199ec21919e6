import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, type Connection } from './connection.ts';
import { platformSignatureHeader, signWebhook } from '../../simulator/webhooks/post-webhook.ts';
import { serveRemote } from './remote.ts';
import { type BenchEvents, webhookBody } from './webhooks.ts';

let requests: Buffer[] = [];
let port = 0;

interface Publishing {
  readonly connections: number;
  /** Undefined: each connection sends as soon as the last request is answered. */
  readonly ratePerSecond: number | undefined;
}

/** By event number, in milliseconds since 1970. */
interface Times {
  readonly sentAtMs: Float64Array;
  readonly answeredAtMs: Float64Array;
  refusedCount: number;
}

/** A broken connection ends the run. */
async function publish({ connections, ratePerSecond }: Publishing): Promise<Times> {
  const count = requests.length;
  const times = {
    sentAtMs: new Float64Array(count),
    answeredAtMs: new Float64Array(count),
    refusedCount: 0,
  };
  const lanes = await Promise.all(
    Array.from({ length: connections }, () => openConnection({ host: '127.0.0.1', port })),
  );
  if (ratePerSecond === undefined) await atFullSpeed({ lanes, times });
  else await atRate({ lanes, times, ratePerSecond });
  for (const lane of lanes) lane.close();
  return times;
}

async function atFullSpeed({ lanes, times }: { lanes: readonly Connection[]; times: Times }): Promise<void> {
  let next = 0;
  const sendRest = async (lane: Connection): Promise<void> => {
    while (next < requests.length) {
      const sequence = next++;
      times.sentAtMs[sequence] = nowMs();
      await answer({ lane, sequence, times });
    }
  };
  await Promise.all(lanes.map(sendRest));
}

interface AtRate {
  readonly lanes: readonly Connection[];
  readonly times: Times;
  readonly ratePerSecond: number;
}

/** The measured time includes the wait for a free lane. */
async function atRate({ lanes, times, ratePerSecond }: AtRate): Promise<void> {
  const free = [...lanes];
  const due: number[] = [];
  const underWay: Promise<void>[] = [];
  const startedAtMs = nowMs();
  const sendDue = (): void => {
    while (due.length > 0 && free.length > 0) {
      const lane = free.shift()!; // in turn, because the server closes unused connections
      const sent = answer({ lane, sequence: due.shift()!, times }).then(() => {
        free.push(lane);
        sendDue();
      });
      underWay.push(sent);
    }
  };
  for (let next = 0; next < requests.length; await sleep(1)) {
    const dueCount = Math.min(((nowMs() - startedAtMs) * ratePerSecond) / 1000 + 1, requests.length);
    for (; next < dueCount; next++) {
      times.sentAtMs[next] = nowMs();
      due.push(next);
      sendDue();
    }
  }
  while (due.length > 0) await sleep(1);
  await Promise.all(underWay);
}

async function answer({ lane, sequence, times }: { lane: Connection; sequence: number; times: Times }): Promise<void> {
  const status = await lane.send(requests[sequence]!);
  times.answeredAtMs[sequence] = nowMs();
  if (status !== 200) times.refusedCount++;
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

interface PreparedRequests extends BenchEvents {
  readonly webhookUrl: string;
  readonly appSecret: string;
}

function prepareRequests(prepared: PreparedRequests): Buffer[] {
  const { host, pathname } = new URL(prepared.webhookUrl);
  return Array.from({ length: prepared.count }, (_, sequence) => {
    const body = webhookBody(prepared, sequence);
    const head =
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
      `${platformSignatureHeader}: ${signWebhook(body, prepared.appSecret)}\r\ncontent-length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  });
}

const calls = {
  prepare: (prepared: PreparedRequests) => {
    port = Number(new URL(prepared.webhookUrl).port);
    requests = prepareRequests(prepared);
  },
  publish,
};

export type PublisherCalls = typeof calls;
serveRemote(calls);
