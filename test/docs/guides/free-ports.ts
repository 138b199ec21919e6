import { freePort } from '../../../dev/processes/ports.ts';
import type { ShellBlock } from '../shell-blocks.ts';

/** Ports of receivers that readers start. Tests run at the same time, so each page gets free ones instead. */
const receiverPorts = /\b(?:4000|8080|8081)\b/g;

export async function withFreePorts(blocks: readonly ShellBlock[]): Promise<ShellBlock[]> {
  const used = new Set(blocks.flatMap(({ code }) => code.match(receiverPorts) ?? []));
  const ports = new Map<string, number>();
  for (const port of used) ports.set(port, await freePort());
  return blocks.map((block) => ({
    ...block,
    code: block.code.replace(receiverPorts, (port) => String(ports.get(port))),
  }));
}
