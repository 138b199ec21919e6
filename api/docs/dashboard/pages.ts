import type { SiteManifest } from '../sites/site-files.ts';

const head = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>`;

export function shellPage({ script, theme, style, icon, preload }: SiteManifest): string {
  const preloads = preload.map((name) => `<link rel="modulepreload" href="/assets/${name}">\n`).join('');
  return `${head('Messaging channels')}
<link rel="icon" type="image/svg+xml" href="/assets/${icon}">
${theme === undefined ? '' : `<script src="/assets/${theme}"></script>\n`}<link rel="stylesheet" href="/assets/${style}">
${preloads}<script type="module" src="/assets/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The dashboard needs JavaScript. Enable it and reload this page, or read the <a href="/guides/">guides</a> and the <a href="/docs">API reference</a>.</noscript>
</body>
</html>
`;
}

export const unbuiltPage = `${head('Messaging channels: the dashboard is not built')}
</head>
<body>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> in the installation folder, then reload this page. The API works without the dashboard.</p>
<ul>
<li><a href="/guides/">Guides</a></li>
<li><a href="/docs">API reference</a></li>
<li><a href="/openapi.json">OpenAPI 3.1 document</a></li>
<li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
</ul>
</body>
</html>
`;
