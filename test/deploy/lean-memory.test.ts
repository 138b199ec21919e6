import test from 'ava';
import { leanEnvironment, leanNodeArguments } from '../../dev/lean-memory.ts';
import { imageEnvironment, processes, readText } from './manifests.ts';

test('the image and the units use the memory settings of `npm start`', (t) => {
  t.like(imageEnvironment(), leanEnvironment);
  const started = leanNodeArguments.join(' ');
  t.true(readText('deploy/image/entrypoint.sh').includes(`exec node ${started} "$process/main.ts"`));
  for (const name of processes) {
    const unit = readText(`deploy/systemd/messaging-channels-${name}@.service`);
    const words = Object.entries(leanEnvironment).map(([setting, value]) => `${setting}=${value}`);
    t.true(unit.includes(`\nEnvironment=${words.join(' ')}\n`), name);
    t.regex(unit, new RegExp(`^ExecStart=\\S+/node ${started} ${name}/main[.]ts$`, 'm'));
  }
});
