import test from 'ava';
import { withFreshId } from '../../../db/core/model.ts';

test('withFreshId draws again a limited number of times', async (t) => {
  const drawn: string[] = [];
  const row = await withFreshId('channel', (publicId) => {
    drawn.push(publicId);
    return Promise.resolve(drawn.length < 3 ? undefined : publicId);
  });
  t.is<string | undefined, string | undefined>(row, drawn[2]);
  t.is(new Set(drawn).size, 3);
  await t.throwsAsync(
    withFreshId('channel', () => Promise.resolve(undefined)),
    { message: /No free channel id/ },
  );
});
