import { build } from 'esbuild';
import test from 'ava';
import { adaptRenderer } from '../../../dev/sites/adapt-renderer.ts';

test('a renderer without the expected code fails the build', async (t) => {
  const contents = 'export {};';
  const failure = await t.throwsAsync(
    build({
      stdin: { contents },
      bundle: true,
      write: false,
      logLevel: 'silent',
      plugins: [adaptRenderer()],
    }),
  );
  t.regex(failure.message, /ApiReference.*no longer contains/s);
});
