import type { Page } from 'playwright-core';

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** A button of the open dialog: the page often has one with the same name. */
export const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

export async function goTo(page: Page, name: string, menu = 'Organization'): Promise<void> {
  await page.getByRole('navigation', { name: menu }).getByRole('link', { name, exact: true }).click();
}
