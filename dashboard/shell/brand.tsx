import { Icon } from '../kit/icon.tsx';
import { config } from '../session/config.ts';

/** Repeats icon.svg inline, so that it follows the color scheme. */
export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" />
        <path d="M8 11.5h10.5a4.5 4.5 0 0 1 0 9H15M11.5 7.5l-4 4 4 4" />
        <circle cx="10" cy="20.5" r="2" />
      </svg>
      Messaging channels
    </span>
  );
}

export function Footer() {
  const { temporalUi } = config.value;
  return (
    <footer class="site-footer">
      <ul>
        <li>
          <a href="/guides/">Guides</a>
        </li>
        <li>
          <a href="/docs">API reference</a>
        </li>
        <li>
          <a href="/openapi.json">OpenAPI</a>
        </li>
        <li>
          <a href="/auth.md">For agents</a>
        </li>
        {temporalUi && (
          <li>
            <a href={temporalUi.url} rel="noreferrer">
              Temporal UI <Icon name="external" />
            </a>
          </li>
        )}
      </ul>
    </footer>
  );
}
