import test from 'ava';
import { whileVisible } from '../../../../dashboard/kit/calls/while-visible.ts';
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
  const told: string[] = [];
  const end = whileVisible({ page, graceMs: 10, start: () => told.push('start'), stop: () => told.push('stop') });
  t.deepEqual(told, ['start']);
  show(true);
  t.deepEqual(told, ['start'], 'stop waits for the grace period');
  await until(() => told.length === 2, { for: 'the stop' });
  show(false);
  show(false);
  t.deepEqual(told, ['start', 'stop', 'start']);
  end();
  show(true);
  show(false);
  t.deepEqual(told, ['start', 'stop', 'start', 'stop']);
});

test('a page starts once visible and survives a short absence', (t) => {
  const { page, show } = aPage();
  const told: string[] = [];
  page.hidden = true;
  t.teardown(
    whileVisible({ page, graceMs: 3_600_000, start: () => told.push('start'), stop: () => told.push('stop') }),
  );
  t.deepEqual(told, []);
  show(false);
  show(true);
  show(false);
  t.deepEqual(told, ['start']);
});
