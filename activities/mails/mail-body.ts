import { PRODUCT_NAME, productColors, SANS_FONTS } from '../../contract/identity/product-look.ts';
import { html, type Markup } from '../../contract/text/html.ts';
import type { Mail } from './mailer.ts';

/** A part of an email. The text and the HTML are made from the same parts, so that both say the same. */
export type MailPart =
  | { readonly kind: 'text' | 'quiet' | 'heading'; readonly text: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'fact'; readonly label: string; readonly value: string }
  | { readonly kind: 'link' | 'quietLink'; readonly label: string; readonly url: string }
  | { readonly kind: 'item'; readonly title: string; readonly tone: MailTone; readonly details: readonly string[] };

type MailTone = 'bad' | 'warn' | 'good';

/** Returns the body of an email in the dashboard's look. Texts of others must be sanitized before (`plainName`). */
export function mailBody(parts: readonly MailPart[]): Pick<Mail, 'text' | 'html'> {
  return { text: `${parts.map(textOf).join('\n\n')}\n`, html: documentOf(parts.map(markupOf)) };
}

function textOf(part: MailPart): string {
  switch (part.kind) {
    case 'text':
    case 'quiet':
    case 'heading':
      return part.text;
    case 'code':
      return `    ${part.code}`;
    case 'fact':
      return `    ${part.label}: ${part.value}`;
    case 'link':
      return `${part.label}:\n\n    ${part.url}`;
    case 'quietLink':
      return `${part.label}: ${part.url}`;
    case 'item':
      return [`- ${part.title}`, ...part.details].join('\n  ');
  }
}

/** Mail programs ignore style sheets in part, so colors are repeated in attributes; the dark ones are in the head. */
function markupOf(part: MailPart): Markup {
  switch (part.kind) {
    case 'text':
      return html`<p>${part.text}</p>`;
    case 'quiet':
      return html`<p class="quiet" style="${quietStyle}">${part.text}</p>`;
    case 'heading':
      return html`<h2 style="font-size: 16px; margin: 24px 0 8px;">${part.text}</h2>`;
    case 'code':
      return html`<p class="code" style="${codeStyle}">${part.code}</p>`;
    case 'fact':
      return html`<p><strong>${part.label}:</strong> ${part.value}</p>`;
    case 'link':
      return html`<p style="margin: 24px 0;">
        <a class="button" href="${part.url}" style="${buttonStyle}">${part.label}</a>
      </p>`;
    case 'quietLink':
      return html`<p class="quiet" style="${quietStyle}">
        <a class="quiet" href="${part.url}" style="color: ${light.textSoft};">${part.label}</a>
      </p>`;
    case 'item':
      return html`<p class="item ${part.tone}" style="border-left: 3px solid ${light[part.tone]}; padding-left: 12px;">
        <strong>${part.title}</strong>${part.details.map((line) => html`<br />${line}`)}
      </p>`;
  }
}

const { light, dark } = productColors;
const quietStyle = `color: ${light.textSoft}; font-size: 14px;`;
const codeStyle =
  `margin: 24px 0; padding: 16px; border-radius: 6px; background: ${light.groundSide}; color: ${light.text}; ` +
  `font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 28px; letter-spacing: 6px; text-align: center;`;
const buttonStyle =
  `display: inline-block; padding: 11px 22px; border-radius: 6px; background: ${light.accent}; ` +
  `color: ${light.onAccent}; font-weight: 600; text-decoration: none;`;
const cardStyle =
  `max-width: 560px; margin: 0 auto; padding: 24px; border: 1px solid ${light.line}; border-radius: 10px; ` +
  `background: ${light.ground}; overflow-wrap: anywhere;`;

const darkRules = `@media (prefers-color-scheme: dark) {
  body, .code { background: ${dark.groundSide} !important; color: ${dark.text} !important; }
  .card { background: ${dark.ground} !important; border-color: ${dark.line} !important; color: ${dark.text} !important; }
  .quiet { color: ${dark.textSoft} !important; }
  .button { background: ${dark.accent} !important; color: ${dark.onAccent} !important; }
  .item.bad { border-color: ${dark.bad} !important; }
  .item.warn { border-color: ${dark.warn} !important; }
  .item.good { border-color: ${dark.good} !important; }
}`;

function documentOf(parts: readonly Markup[]): string {
  const bodyStyle =
    `margin: 0; padding: 24px 12px; background: ${light.groundSide}; color: ${light.text}; ` +
    `font: 16px/1.55 ${SANS_FONTS};`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${PRODUCT_NAME}</title>
        <style>
          ${{ markup: darkRules }}
        </style>
      </head>
      <body style="${bodyStyle}">
        <div class="card" style="${cardStyle}">
          <p style="margin: 0 0 24px; font-weight: 600;">${PRODUCT_NAME}</p>
          ${parts}
        </div>
      </body>
    </html> `.markup;
}

/**
 * Sanitizes an untrusted name for an email: it cannot pass for an address, become a link, be called or start a line.
 * Removes dots, because mail programs turn `example.com` into a link. With more digits than a year has, removes all words
 * with digits: a phone number has many spellings. Returns '' if no letter is left.
 */
export function plainName(text: string): string {
  const words = text
    .slice(0, MAX_INPUT_LENGTH)
    .normalize('NFKC')
    .replace(notOfNames, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && !linkWord.test(word));
  const digitCount = words.join('').replace(/\D/g, '').length;
  const kept = digitCount > MAX_DIGITS ? words.filter((word) => !/\d/.test(word)) : words;
  const name = Array.from(kept.join(' ')).slice(0, MAX_NAME_LENGTH).join('').trim();
  return /\p{L}/u.test(name) ? name : '';
}

const MAX_INPUT_LENGTH = 400;
/** Enough to recognize an organization, too short for a message. */
const MAX_NAME_LENGTH = 40;
const MAX_DIGITS = 4;
const notOfNames = /[^\p{L}\p{M}0-9 '&,+-]|[\ua4f8-\ua4fd]/gu;
const linkWord = /^(?:https?|ftp|mailto|tel|www\d?)$/iu;
