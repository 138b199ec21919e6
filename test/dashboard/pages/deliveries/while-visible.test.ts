import test from 'ava';
import { whileVisible } from '../../../../dashboard/pages/deliveries/while-visible.ts';
import { until } from '../../../harness/until.ts';

function aPage() {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const show = (hidden: boolean): void => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { page, show };
}

test('a hidden page stops after the grace period and restarts when visible', async (t) => {
  const { page, show } = aPage();
  const calls: string[] = [];
  const end = whileVisible({ page, graceMs: 10, start: () => calls.push('start'), stop: () => calls.push('stop') });
  t.deepEqual(calls, ['start']);
  show(true);
  t.deepEqual(calls, ['start'], 'stop waits for the grace period');
  await until(() => calls.length === 2, { for: 'the stop' });
  show(false);
  show(false);
  t.deepEqual(calls, ['start', 'stop', 'start']);
  end();
  show(true);
  show(false);
  t.deepEqual(calls, ['start', 'stop', 'start', 'stop']);
});

test('a page starts once visible and survives a short absence', (t) => {
  const { page, show } = aPage();
  const calls: string[] = [];
  page.hidden = true;
  t.teardown(
    whileVisible({ page, graceMs: 3_600_000, start: () => calls.push('start'), stop: () => calls.push('stop') }),
  );
  t.deepEqual(calls, []);
  show(false);
  show(true);
  show(false);
  t.deepEqual(calls, ['start']);
});
