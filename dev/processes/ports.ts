import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that a setting names and a process of ours is to listen on. */
export interface WantedPort {
  readonly port: number;
  /** The setting that changes it. */
  readonly setting: string;
  /** What will listen there, in words. */
  readonly purpose: string;
}

/** Thrown with a message that says what to do when ports are taken. */
export class PortsTaken extends Error {
  override name = 'PortsTaken';
}

/** Throws one message about all ports that are taken, or wanted twice. */
export async function requireFreePorts(wanted: readonly WantedPort[], host = '127.0.0.1'): Promise<void> {
  const problems: string[] = [];
  for (const [index, one] of wanted.entries()) {
    const earlier = wanted.slice(0, index).find(({ port }) => port === one.port);
    if (earlier)
      problems.push(`${one.setting} and ${earlier.setting} are both ${one.port}: give one of them another port.`);
    else if (!(await isFree(one.port, host))) problems.push(takenMessage(one));
  }
  if (problems.length > 0) throw new PortsTaken(problems.join('\n'));
}

/** Below the ports that systems hand out by themselves, and above those that services have by custom. */
const LOWEST = 12_000;
const HIGHEST = 32_000;

/**
 * A port that is free now, and likely to be so still in a moment: one that the operating system chooses is of the range
 * that outgoing connections take theirs from, and may be gone before anybody listens on it.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port, host)) return port;
  }
}

export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}

function takenMessage({ port, setting, purpose }: WantedPort): string {
  return (
    `Port ${port}, wanted for ${purpose}, is taken by another program. ` +
    `Stop that program (\`lsof -i :${port}\` names it), or choose another port: ${setting}=${port + 10_000 > 65_535 ? port - 1_000 : port + 10_000} npm start`
  );
}
