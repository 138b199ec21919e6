import type { CreateApiReference } from '@scalar/types/api-reference';
// The build replaces the package by the address of the script that it serves.
import renderer from '@scalar/fastify-api-reference';
import './adapt-page.ts';

/** The renderer is a script, whose only result is this global value. */
declare const Scalar: { readonly createApiReference: CreateApiReference };

/** Samples exist for curl, JavaScript, Python and Go, with one client each. */
const hiddenClients: Record<string, true | string[]> = {
  shell: ['wget', 'httpie'],
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  python: ['aiohttp', 'httpx_async', 'httpx_sync', 'requests'],
  ...Object.fromEntries(
    'c clojure csharp dart fsharp http java julia kotlin node objc ocaml php powershell r ruby rust swift'
      .split(' ')
      .map((target) => [target, true]),
  ),
};

await import(new URL(String(renderer), import.meta.url).href);
Scalar.createApiReference('#docs', {
  url: '/openapi.json',
  theme: 'none',
  hiddenClients,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // A key stays in the memory of the page. A reload forgets it.
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  // The page talks to this installation only.
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The visible text is part of the name, so that voice control finds the button.
  localization: { translations: { navigation: { showAllEndpoints: 'Show more {name} endpoints' } } },
});
