import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { StopList } from '../../../dev/processes/stop-list.ts';

export interface DnsServer {
  readonly port: number;
  readonly answerCounts: ReadonlyMap<string, number>;
}

const HEADER_BYTES = 12;
const RESPONSE_FLAGS = 0x81_80;
const TYPE_A = 1;
const NAME_AT_HEADER_END = 0xc0_0c;

/** Answers IPv4 queries for one name, with a TTL of 0 s. */
export async function startDnsServer(addressNow: () => string, stops: StopList): Promise<DnsServer> {
  const answerCounts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const isForAddress = question.readUInt16BE(questionEnd(question) - 4) === TYPE_A;
    const given = isForAddress ? addressNow() : undefined;
    if (given !== undefined) answerCounts.set(given, (answerCounts.get(given) ?? 0) + 1);
    socket.send(answer(question, given), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  stops.add({ name: 'name server', stop: async () => void socket.close() });
  return { port: socket.address().port, answerCounts };
}

/** The name is followed by type and class, two bytes each. */
function questionEnd(question: Buffer): number {
  let at = HEADER_BYTES;
  while (question.readUInt8(at) !== 0) at += question.readUInt8(at) + 1;
  return at + 5;
}

function answer(question: Buffer, address: string | undefined): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(RESPONSE_FLAGS, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(address === undefined ? 0 : 1, 6);
  const asked = question.subarray(HEADER_BYTES, questionEnd(question));
  if (address === undefined) return Buffer.concat([header, asked]);
  const record = Buffer.alloc(16);
  record.writeUInt16BE(NAME_AT_HEADER_END, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return Buffer.concat([header, asked, record]);
}
