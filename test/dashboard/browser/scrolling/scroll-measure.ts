import type { Page } from 'playwright-core';
import { until } from '../../../harness/until.ts';

export async function loadAll(page: Page, rowCount: number): Promise<void> {
  const loaded = page.locator('.tail-bar .soft');
  const wanted = `${rowCount.toLocaleString('en')} deliveries`;
  await until(
    async () => {
      await page.evaluate(
        `(() => { const grid = document.querySelector('.delivery-grid'); grid.scrollTop = grid.scrollHeight; })()`,
      );
      return (await loaded.textContent())?.trim() === wanted;
    },
    { for: wanted, timeoutMs: 500_000, detail: () => loaded.textContent() },
  );
}

export interface ScrollCost {
  readonly frames: number;
  readonly frameMs: { readonly p50: number; readonly p95: number; readonly max: number };
  readonly workMsPerFrame: number;
  readonly heapMb: number;
  readonly domNodes: number;
}

const FRAMES = 300;
const STEP_PX = 700;

/** Scrolls 700 pixels per frame. */
export async function measureScroll(page: Page): Promise<ScrollCost> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const before = await metricsOf();
  const deltas = await page.evaluate<number[]>(`new Promise((resolve) => {
    const grid = document.querySelector('.delivery-grid');
    const deltas = [];
    let last;
    const frame = (at) => {
      if (last !== undefined) deltas.push(at - last);
      last = at;
      grid.scrollTop = (grid.scrollTop + ${STEP_PX}) % (grid.scrollHeight - grid.clientHeight);
      if (deltas.length < ${FRAMES}) requestAnimationFrame(frame);
      else resolve(deltas);
    };
    requestAnimationFrame(frame);
  })`);
  const after = await metricsOf();
  const spent = (name: string): number => ((after[name] ?? 0) - (before[name] ?? 0)) * 1000;
  const sorted = deltas.toSorted((a, b) => a - b);
  const at = (share: number): number => round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return {
    frames: deltas.length,
    frameMs: { p50: at(0.5), p95: at(0.95), max: round(sorted.at(-1) ?? 0) },
    workMsPerFrame: round((spent('ScriptDuration') + spent('LayoutDuration') + spent('RecalcStyleDuration')) / FRAMES),
    heapMb: round((before['JSHeapUsedSize'] ?? 0) / 1e6),
    domNodes: before['Nodes'] ?? 0,
  };

  async function metricsOf(): Promise<Record<string, number>> {
    const { metrics } = await session.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;
