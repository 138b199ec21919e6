import { computed, signal } from '@preact/signals';

/** The current address. Links are plain `<a href>`; the router intercepts their clicks. */
const address = signal(new URL(location.href));

/** Without `#`. Carries the secrets of links, which must reach no server. */
export const fragment = computed(() => decodeFragment(address.value.hash.slice(1)));

/** Without a slash at its end. */
export const path = computed(() => withoutSlash(address.value.pathname));
export const query = computed(() => address.value.searchParams);

export const navigations = signal(0);

function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const withoutSlash = (pathname: string): string =>
  pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;

export function navigate(to: string, { replace = false } = {}): void {
  const target = new URL(to, location.href);
  if (replace) history.replaceState(null, '', target);
  else history.pushState(null, '', target);
  const isOtherPage = target.pathname !== address.value.pathname;
  if (isOtherPage && !replace) {
    navigations.value++;
    scrollTo(0, 0);
  }
  address.value = target;
}

/** Keeps the other query parameters. Removes undefined and empty values. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, { replace = true } = {}): void {
  const target = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value) target.searchParams.set(name, value);
    else target.searchParams.delete(name);
  }
  navigate(target.href, { replace });
}

export function startRouter(): void {
  addEventListener('popstate', () => {
    navigations.value++;
    address.value = new URL(location.href);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || !isPlainClick(event) || !isOwnPage(link)) return;
    event.preventDefault();
    navigate(link.href);
  });
}

/** Modified clicks open tabs, windows or downloads and stay with the browser. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

function isOwnPage({ href, target, download, origin, pathname, hash }: HTMLAnchorElement): boolean {
  if (target || download || origin !== location.origin || href === '') return false;
  if (hash && pathname === location.pathname) return false;
  return pathname === '/' || pathname === '/app' || /^\/(?:app|portal)\//.test(pathname);
}
