import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, type Connection } from './connection.ts';

export interface ResendingOptions {
  readonly ports: readonly number[];
  readonly turn: number;
  readonly onResend: () => void;
}

const SERVER_FAULT = 500;
const GIVE_UP_AFTER_MS = 30_000;
const PAUSE_MS = 20;

/** Resends unanswered requests to the next server, as the platform does. */
export async function openResendingConnection({ ports, turn, onResend }: ResendingOptions): Promise<Connection> {
  let next = turn;
  let connection = await open();

  async function open(): Promise<Connection> {
    const lateAtMs = performance.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      try {
        return await openConnection({ host: '127.0.0.1', port: ports[next++ % ports.length]! });
      } catch (error) {
        if (performance.now() > lateAtMs) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  async function send(request: Buffer): Promise<number> {
    const lateAtMs = performance.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      try {
        const status = await connection.send(request);
        if (status < SERVER_FAULT || performance.now() > lateAtMs) return status;
        await sleep(PAUSE_MS);
      } catch {
        connection = await open();
      }
      onResend();
    }
  }

  return { send, close: () => connection.close() };
}
