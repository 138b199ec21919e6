import type { Page } from 'playwright-core';

export interface View {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

export const views: readonly View[] = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 1440 },
];
/** Both themes and both widths: a theme changes colors and a width the layout, so that no pair fails alone. */
export const checkedViews = views.filter(({ colorScheme, width }) => (colorScheme === 'light') === (width === 1440));

export async function show(page: Page, { colorScheme, width }: View): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
}

/** Live pages never become idle, so the wait has a limit. */
export async function takePicture(page: Page, path: string, options: { readonly fullPage?: boolean } = {}) {
  await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined);
  await page.screenshot({ path, ...options });
}
