import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { StopList } from '../../../dev/processes/stop-list.ts';

export interface DnsServer {
  readonly port: number;
  readonly answerCounts: ReadonlyMap<string, number>;
}

const HEADER_BYTES = 12;
const RESPONSE_FLAGS = 0x81_80;
/** SERVFAIL and NXDOMAIN (RFC 1035, section 4.1.1). */
const codes = { no_address: 0, failure: 2, unknown: 3 } as const;
const TYPE_A = 1;
const NAME_AT_HEADER_END = 0xc0_0c;

/** What the server says about a name: an address, that it has none or is unknown, a failure of its own, or nothing. */
export type DnsAnswer = { readonly address: string } | 'no_address' | 'unknown' | 'failure' | 'silence';

export type AnswerOf = (name: string, family: 4 | 6) => DnsAnswer;

/** Answers queries with a TTL of 0 s. */
export async function startDnsServer(answerOf: AnswerOf, stops: StopList): Promise<DnsServer> {
  const answerCounts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const family = question.readUInt16BE(questionEnd(question) - 4) === TYPE_A ? 4 : 6;
    const said = answerOf(nameIn(question), family);
    if (said === 'silence') return;
    const given = typeof said === 'object' && isIP(said.address) === family ? said.address : undefined;
    if (given !== undefined) answerCounts.set(given, (answerCounts.get(given) ?? 0) + 1);
    socket.send(answer(question, given, typeof said === 'string' ? codes[said] : 0), port, address);
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

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER_BYTES; question.readUInt8(at) !== 0; at += question.readUInt8(at) + 1) {
    labels.push(question.toString('latin1', at + 1, at + 1 + question.readUInt8(at)));
  }
  return labels.join('.').toLowerCase();
}

function answer(question: Buffer, address: string | undefined, code: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(RESPONSE_FLAGS | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(address === undefined ? 0 : 1, 6);
  const asked = question.subarray(HEADER_BYTES, questionEnd(question));
  if (address === undefined) return Buffer.concat([header, asked]);
  const bytes = ipaddr.parse(address).toByteArray();
  const record = Buffer.alloc(12 + bytes.length);
  record.writeUInt16BE(NAME_AT_HEADER_END, 0);
  asked.copy(record, 2, asked.length - 4); // type and class
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(bytes.length, 10);
  record.set(bytes, 12);
  return Buffer.concat([header, asked, record]);
}
