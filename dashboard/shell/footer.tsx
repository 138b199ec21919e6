import { config } from '../session/config.ts';
import { Icon } from '../kit/icon.tsx';

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
