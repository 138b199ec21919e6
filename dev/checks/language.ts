import ts from 'typescript';
import { type Finding, reportFindings, type SourceText } from './source-files.ts';
import { isLogCall } from './names.ts';
import { lineOf, parse, type SourceUnit, stringValues, walk } from './string-values.ts';

/** The language rules that a machine can judge. A string that contains a space is prose; other strings are data. */

/** Results are data. */
const exemptPath = 'bench/results/';

const MAX_TITLE_WORDS = 12;

const avoided: readonly { readonly words: RegExp; readonly instead: string }[] = [
  { words: /\b(?:whoever|whomever|whosoever)\b/i, instead: 'the caller, the user, anyone who' },
  { words: /\bwhatever\b/i, instead: 'any, whether or not' },
  { words: /\bsomebody\b/i, instead: 'a user, another process' },
  { words: /\bnobody\b/i, instead: 'no one, no caller, or name the actor' },
  { words: /\bone['’]s own\b|\bof one['’]s\b/i, instead: 'your own' },
  { words: /\bof ours\b/i, instead: "the service's" },
  { words: /\bso many\b/i, instead: 'the number of, a limit of' },
  { words: /\b(?:is|are) none\b/i, instead: 'there is no, does not exist' },
  { words: /\bthere (?:is|are) not\s*[.,;:)]/i, instead: 'does not exist' },
  { words: /\banew\b/i, instead: 'again' },
  { words: /\b(?:goes|go|went|going) on\b(?! (?:PATH|the)\b)/i, instead: 'continues' },
  { words: /\bstands\b(?! for\b)/i, instead: 'is, is stored, is listed' },
  { words: /\b(?:see|sees|seen) to\b(?! (?:be|have)\b)/i, instead: 'handles' },
  { words: /\bfare[sd]?\b/i, instead: 'the outcome' },
  { words: /\btold\b/i, instead: 'notified, called, reported' },
  { words: /\bat hand\b/i, instead: 'available' },
  { words: /\bmeant to reach\b/i, instead: 'intended for' },
  { words: /\bfor granted\b/i, instead: 'ignore, assume' },
  { words: /\bas ever\b/i, instead: 'as before' },
  { words: /\bwhat waits\b/i, instead: 'pending deliveries' },
  { words: /\bof which there\b|\bthan there are\b/i, instead: 'one clause less' },
];
const anyAvoided = new RegExp(avoided.map(({ words }) => words.source).join('|'), 'i');

const code = /\.(?:[cm]?[jt]s|tsx)$/;
const testFile = /^test\/.*\.test\.ts$/;

const logEvent = /^[a-z][a-zA-Z]*\.(?:[a-z][a-zA-Z]*(?:ed|Sent|Lost)|sent|lost|read|made|broken)$/;

export function languageFindings({ path, text }: SourceText): Finding[] {
  if (!code.test(path)) return avoidedWords({ line: 1, text });
  const isTest = testFile.test(path);
  const hasAvoided = anyAvoided.test(text);
  if (!isTest && !hasAvoided && !/\blog\b/.test(text)) return [];
  const source = parse(path, text);
  return [
    ...(hasAvoided ? piecesOf(source).flatMap(avoidedWords) : []),
    ...(isTest ? titleFindings(source) : []),
    ...eventFindings({ path, source, load: () => undefined }),
  ];
}

interface Piece {
  readonly line: number;
  readonly text: string;
}

function avoidedWords(piece: Piece): Finding[] {
  if (!anyAvoided.test(piece.text)) return [];
  return piece.text.split('\n').flatMap((line, index) => {
    const prose = line.replaceAll(/`[^`]*`|\b\w+@/g, '');
    return avoided
      .filter(({ words }) => words.test(prose))
      .map(({ words, instead }) => ({
        line: piece.line + index,
        rule: `avoid “${words.exec(prose)?.[0]}”; write for example: ${instead}`,
      }));
  });
}

function piecesOf(source: ts.SourceFile): Piece[] {
  const { text } = source;
  const pieces: Piece[] = [];
  const characters = [...Array(text.length).keys()].map((index) => text.charAt(index));
  walk(source, (node) => {
    if (!isText(node)) return;
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const value = text.slice(start, node.end);
    if (/\s/.test(value.trim())) pieces.push({ line, text: value });
    for (let at = start; at < node.end; at++) if (characters[at] !== '\n') characters[at] = ' ';
  });
  for (const { 0: comment, index } of characters.join('').matchAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g)) {
    pieces.push({ line: source.getLineAndCharacterOfPosition(index).line + 1, text: comment });
  }
  return pieces;
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isJsxText(node)
  );
}

function titleFindings(source: ts.SourceFile): Finding[] {
  const findings: Finding[] = [];
  walk(source, (node) => {
    if (!ts.isCallExpression(node) || !/^test(?:\.\w+)*$/.test(node.expression.getText())) return;
    const [title] = node.arguments;
    if (!title || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return;
    const wordCount = title
      .getText()
      .replaceAll(/\$\{[^}]*\}/g, 'x')
      .split(/\s+/).length;
    if (wordCount <= MAX_TITLE_WORDS) return;
    findings.push({ line: lineOf(title), rule: `the title has ${wordCount} words, more than ${MAX_TITLE_WORDS}` });
  });
  return findings;
}

function eventFindings(unit: SourceUnit): Finding[] {
  const findings: Finding[] = [];
  walk(unit.source, (node) => {
    if (!ts.isCallExpression(node) || !isLogCall(node)) return;
    const [first] = node.arguments;
    for (const event of (first && stringValues(unit, first)) ?? []) {
      if (logEvent.test(event)) continue;
      findings.push({ line: lineOf(node), rule: `the log event ${event} is not noun.verbed or noun.verbFailed` });
    }
  });
  return findings;
}

if (import.meta.main) {
  reportFindings(/\.(?:[cm]?[jt]s|tsx|md|css|html|ya?ml|sh|sql)$/, (file) =>
    file.path.startsWith(exemptPath) ? [] : languageFindings(file),
  );
}
