import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { userCache } from '../../../dev/temporal/user-cache.ts';
import { debianMirror } from '../pods/debian-mirror.ts';
import { runCommand } from '../pods/run-command.ts';

const RELEASE = 'bookworm';

/** Returns a folder with a Debian that has systemd and the user of the units. Made once per user, copied for each run. */
export async function makeRoot(report: (text: string) => void): Promise<string> {
  const kept = userCache(`systemd-root-${RELEASE}`);
  if (
    !(await access(kept).then(
      () => true,
      () => false,
    ))
  ) {
    report('Building a Debian with systemd. This happens once and takes about 3 minutes.');
    await mkdir(dirname(kept), { recursive: true });
    const draft = await mkdtemp(join(dirname(kept), 'build-'));
    try {
      const packages = 'systemd,systemd-sysv';
      await runCommand('debootstrap', [
        '--variant=minbase',
        `--include=${packages}`,
        RELEASE,
        join(draft, 'root'),
        await debianMirror(),
      ]);
      const user = ['--system', '--home-dir', '/opt/messaging-channels', '--shell', '/usr/sbin/nologin'];
      await runCommand('chroot', [join(draft, 'root'), 'useradd', ...user, 'messaging-channels']);
      await rename(join(draft, 'root'), kept);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return kept;
}
