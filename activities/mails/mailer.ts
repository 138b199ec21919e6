import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for mail programs that show HTML. */
  readonly html: string;
}

export interface Mailer {
  /** Rejects with `MailRefused` if a retry is pointless. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

export class MailRefused extends Error {
  override name = 'MailRefused';
}

/** Their sum is below the timeout of the activities. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

/** Errors contain only the kind of failure, because a server's response may quote the address or the email. */
export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  // Emails have no attachments, so the library never needs files or URLs.
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true }, { from });
  return {
    async send({ to, subject, text, html }) {
      try {
        // An object, so that it is never parsed as a list of addresses.
        await transport.sendMail({ to: { name: '', address: to }, subject, text, html });
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
  // A wrong password (5xx) is retried, because the operator can correct it.
  const isFinal = code !== 'EAUTH' && Number(responseCode) >= 500;
  return isFinal ? new MailRefused(`The mail server refused: ${kind}`) : new Error(`The email was not sent: ${kind}`);
}
