import { createTransport } from 'nodemailer';

/** A mail of plain text to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Resolves when a mail server has taken the mail; rejects with MailRefused where it never will. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server will not take this mail, however often it is asked. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

/** Together below the deadline of the activity that sends. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

/**
 * Sends through one mail server (smtp:// or smtps://, with user and password in the URL). What it rejects with says
 * only the kind of failure: a server's answer may quote the address or the mail.
 */
export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  // No attachments come from here, so that nothing in a mail can make the library read a file or a URL.
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true }, { from });
  return {
    async send({ to, subject, text }) {
      try {
        // As an object, so that an address is never parsed as a list of them.
        await transport.sendMail({ to: { name: '', address: to }, subject, text });
      } catch (error) {
        throw failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}

function failureOf(error: unknown): Error {
  const { code, responseCode } = Object(error);
  const kind = `${String(code ?? 'unknown')}${responseCode === undefined ? '' : ` ${String(responseCode)}`}`;
  // A wrong password is answered with a 5xx too, but is put right by whoever runs this, not by the receiver.
  const isFinal = code !== 'EAUTH' && Number(responseCode) >= 500;
  return isFinal ? new MailRefused(`The mail server refused: ${kind}`) : new Error(`The mail was not sent: ${kind}`);
}
