import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import { onceClosed } from '../../process/once-closed.ts';

test('a response calls all functions in order and has one listener', (t) => {
  const called: number[] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const countBefore = response.listenerCount('close');
  const places = Array.from({ length: 20 }, (_, place) => place);
  for (const place of places) onceClosed(response, () => called.push(place));
  t.is(response.listenerCount('close'), countBefore + 1);

  response.emit('close');
  response.emit('close');
  t.deepEqual(called, places);
});
