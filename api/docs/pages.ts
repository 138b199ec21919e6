const head = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="docs/favicon-32x32.png">`;

/** Says where everything is. */
export function homePage({ temporalUiUrl }: { temporalUiUrl: string | undefined }): string {
  const workflows =
    temporalUiUrl && `<li><a href="${escapeHtml(temporalUiUrl)}">Workflows</a> in the Temporal UI</li>\n`;
  return `${head('Messaging channels')}
</head>
<body>
<h1>Messaging channels</h1>
<ul>
<li><a href="docs">Documentation of the API</a></li>
<li><a href="openapi.json">OpenAPI 3.1 document</a></li>
${workflows ?? ''}<li><a href="healthz">Health</a> and <a href="readyz">readiness</a></li>
</ul>
</body>
</html>
`;
}

export const docsPage = `${head('Messaging channels: API')}
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="docs"><noscript>This page needs JavaScript; the document itself is <a href="openapi.json">openapi.json</a>.</noscript></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** The validator badge would call a server outside. */
export const docsScript = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });
`;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
