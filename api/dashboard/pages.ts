import type { DashboardManifest } from './files.ts';

const head = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>`;

/** The one page behind all of the dashboard's addresses; what is on it, its script decides. */
export function shellPage({ script, style, icon, preload }: DashboardManifest): string {
  const preloads = preload.map((name) => `<link rel="modulepreload" href="/assets/${name}">\n`).join('');
  return `${head('Messaging channels')}
<link rel="icon" type="image/svg+xml" href="/assets/${icon}">
<link rel="stylesheet" href="/assets/${style}">
${preloads}<script type="module" src="/assets/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The dashboard needs JavaScript. The API is described at <a href="/docs">/docs</a>.</noscript>
</body>
</html>
`;
}

/** What is shown where the service runs from its sources and nobody has built the dashboard. */
export const unbuiltPage = `${head('Messaging channels: the dashboard is not built')}
</head>
<body>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> where the service is installed, then load this page again. The API works without it.</p>
<ul>
<li><a href="/docs">Documentation of the API</a></li>
<li><a href="/openapi.json">OpenAPI 3.1 document</a></li>
<li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
</ul>
</body>
</html>
`;
