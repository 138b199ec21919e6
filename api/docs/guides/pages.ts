/** Reloads itself, because `npm start` builds the guides beside other work. */
export const unbuiltGuidesPage = (retryAfterSeconds: number): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>Guides · Messaging channels</title>
</head>
<body>
<h1>The guides are not built yet</h1>
<p>This page reloads when they are. If nothing builds them, run <code>npm run build</code> in the installation folder.</p>
<ul>
<li><a href="/docs">API reference</a></li>
<li><a href="/app">Dashboard</a></li>
</ul>
</body>
</html>
`;
