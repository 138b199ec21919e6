import test from 'ava';
import { createFrameReader, encodeFrame, type Frame, MAX_FRAME_BYTES } from '../../process/framed-socket.ts';

function readingFrames() {
  const frames: Frame[] = [];
  const read = createFrameReader((frame) => void frames.push(frame));
  return { frames, read };
}

const stream = Buffer.concat([
  encodeFrame({ a: 'ä' }, [Buffer.from('one'), Buffer.from('two')]),
  encodeFrame([]),
  encodeFrame(3, [Buffer.alloc(300_000, 7)]),
]);
const expected = [
  { value: { a: 'ä' }, bytes: Buffer.from('onetwo') },
  { value: [], bytes: Buffer.alloc(0) },
  { value: 3, bytes: Buffer.alloc(300_000, 7) },
];

test('frames arrive whole, however the stream is cut', (t) => {
  for (const size of [1, 7, 4_096, stream.length]) {
    const { frames, read } = readingFrames();
    for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size));
    t.deepEqual(frames, expected, `${size} bytes at a time`);
  }
});

test('a frame without its end is not read', (t) => {
  const { frames, read } = readingFrames();
  read(stream.subarray(0, -1));
  t.deepEqual(frames, expected.slice(0, 2));
});

test('lengths beyond the limit are refused before anything else is read', (t) => {
  for (const lengths of [
    [MAX_FRAME_BYTES, 0],
    [0, MAX_FRAME_BYTES],
    [0xff_ff_ff_ff, 0xff_ff_ff_ff],
  ]) {
    const head = Buffer.alloc(8);
    lengths.forEach((length, index) => head.writeUInt32BE(length, index * 4));
    t.throws(() => readingFrames().read(head), { instanceOf: RangeError });
  }
});

test('a value that is not JSON is refused', (t) => {
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]);
  t.throws(() => readingFrames().read(Buffer.concat([head, Buffer.from('{')])), { instanceOf: SyntaxError });
});
