import ts from 'typescript';
import { type Finding, reportFindings, type SourceText } from './source-files.ts';

/** In base64, because this file must pass its own check. */
const productNames = ['d2hhdHNhcHA=', 'aW5zdGFncmFt', 'ZmFjZWJvb2s=', 'bWVzc2VuZ2Vy', 'aG9va215YXBw'].map((name) =>
  Buffer.from(name, 'base64').toString(),
);
const product = new RegExp(productNames.join('|'), 'i');
const machinePath = /(?<![\w.~}/-])\/(?:work|root|home\/\w+|Users\/\w+)\/[\w.-]/;
const registryHost = /\b(?:registry|npm|pypi|artifactory|verdaccio|mirror|goproxy)\.[a-z0-9-]+\.[a-z]{2,}\b/i;

/** Upstream names are allowed as data here. */
const upstreamFolders = /^(?:platform|simulator|test\/platform|test\/simulator)\//;

export function forbiddenWords({ path, text }: SourceText): Finding[] {
  const findings: Finding[] = product.test(path) ? [{ line: 1, rule: 'an upstream product name in the path' }] : [];
  const open = upstreamFolders.test(path) ? withoutData(path, text) : text;
  for (const [index, line] of open.split('\n').entries()) {
    if (product.test(line)) findings.push({ line: index + 1, rule: 'an upstream product name' });
    if (machinePath.test(line)) findings.push({ line: index + 1, rule: "a machine's path" });
    if (registryHost.test(line)) findings.push({ line: index + 1, rule: 'a registry host' });
  }
  return findings;
}

/** Keeps identifiers and comments. Files that are not code are all data. */
function withoutData(path: string, text: string): string {
  if (!/\.[cm]?[jt]s$/.test(path)) return '';
  const characters = [...Array(text.length).keys()].map((index) => text.charAt(index));
  const blank = (node: ts.Node, source: ts.SourceFile): void => {
    if (isStringValue(node)) {
      for (let at = node.getStart(source); at < node.end; at++) if (characters[at] !== '\n') characters[at] = ' ';
    }
    ts.forEachChild(node, (child) => blank(child, source));
  };
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext);
  blank(source, source);
  return characters.join('');
}

function isStringValue(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isRegularExpressionLiteral(node)
  );
}

const textFile =
  /(?:^|\/)[^/]*\.(?:[cm]?[jt]s|json|md|ya?ml|sql|sh|html|css|txt|toml|tpl)$|(?:^|\/)(?:\.[\w.]+|\.ci\/run|Dockerfile)$/;

if (import.meta.main) reportFindings(textFile, forbiddenWords);
