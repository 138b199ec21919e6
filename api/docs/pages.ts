import type { SiteManifest } from './sites/site-files.ts';

const head = (links: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Messaging channels</title>
${links}</head>
<body>
`;

/** The page of the API reference. The renderer adds the class of the scheme to the body. */
export function referencePage({ script, style, icon, preload }: SiteManifest): string {
  const preloads = preload.map((name) => `<link rel="modulepreload" href="/docs/assets/${name}">\n`).join('');
  return `${head(`<link rel="icon" type="image/svg+xml" href="/docs/assets/${icon}">
<link rel="stylesheet" href="/docs/assets/${style}">
${preloads}<script type="module" src="/docs/assets/${script}"></script>
`)}<nav class="site-links" aria-label="Site"><strong>Messaging channels</strong> <a href="/">Dashboard</a> <a href="/guides/">Guides</a> <a href="/openapi.json">OpenAPI document</a></nav>
<div id="docs"></div>
<noscript>This page needs JavaScript. You can also read the OpenAPI document: <a href="/openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;
}

export const unbuiltReferencePage = `${head('')}<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> in the installation folder, then reload this page. The API works without it.</p>
<p><a href="/openapi.json">OpenAPI document</a></p>
</body>
</html>
`;
