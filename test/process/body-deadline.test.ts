import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import { allowSlowBody, type Exchange, isBodyOverdue } from '../../process/http-server.ts';

const bodyMs = 30_000;
const KIBIBYTE = 1024;

function waitingExchange() {
  let bytesRead = 200;
  const socket = Object.defineProperty(new Socket(), 'bytesRead', { get: () => bytesRead });
  const request = new IncomingMessage(socket);
  request.headers['content-length'] = '1000000';
  const exchange: Exchange = { socket, request, response: new ServerResponse(request) };
  const isOverdueAt = (nowMs: number): boolean => isBodyOverdue(exchange, { nowMs, bodyMs });
  isOverdueAt(0);
  return { request, isOverdueAt, receive: (bytes: number) => (bytesRead += bytes) };
}

test('a body is overdue after its deadline', (t) => {
  const { isOverdueAt, receive } = waitingExchange();
  receive(900_000);
  t.false(isOverdueAt(30_000));
  t.true(isOverdueAt(30_001));
});

test('a complete request is never overdue', (t) => {
  const { request, isOverdueAt } = waitingExchange();
  request.complete = true;
  t.false(isOverdueAt(1_000_000));
});

test('time does not count while bytes wait to be read', (t) => {
  const { request, isOverdueAt } = waitingExchange();
  request.push('unread');
  t.false(isOverdueAt(1_000_000));
});

test('a file may take longer while it keeps arriving', (t) => {
  const { request, isOverdueAt, receive } = waitingExchange();
  allowSlowBody(request, 300_000);
  t.true(isOverdueAt(30_001));
  receive(160 * KIBIBYTE);
  t.false(isOverdueAt(40_000));
  t.true(isOverdueAt(40_001));
});

test('a file has a maximum duration', (t) => {
  const { request, isOverdueAt, receive } = waitingExchange();
  allowSlowBody(request, 300_000);
  receive(100 * KIBIBYTE * KIBIBYTE);
  t.false(isOverdueAt(300_000));
  t.true(isOverdueAt(300_001));
});
