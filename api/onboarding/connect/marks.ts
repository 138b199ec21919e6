import { html, type Markup } from '../../../contract/text/html.ts';

/** Icons in the markup, because the policy of the pages loads no images but the logo. The text beside them says the same. */
function mark(kind: string, path: string): Markup {
  return html`<svg class="mark ${kind}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <circle cx="12" cy="12" r="11" />
    <path d="${path}" />
  </svg>`;
}

const TICK = 'M7 12.5l3.5 3.5L17 9';
const CROSS = 'M8.5 8.5l7 7m0-7l-7 7';
const EXCLAMATION = 'M12 6.5v7m0 3.5v.01';

export const marks = {
  yes: mark('small good', TICK),
  no: mark('small neutral', CROSS),
  done: mark('large good', TICK),
  problem: mark('large warn', EXCLAMATION),
} as const;
