/** Ends a request of the customer's pages with a page that says what happened and what to do. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';
  readonly status: number;
  readonly title: string;
  readonly code: string | undefined;
  readonly retryUrl: string | undefined;

  constructor(
    status: number,
    { title, text, code, retryUrl }: { title: string; text: string; code?: string; retryUrl?: string },
  ) {
    super(text);
    this.status = status;
    this.title = title;
    this.code = code;
    this.retryUrl = retryUrl;
  }
}

/** Unknown, revoked, regenerated, or of a workspace that is gone: all the same to whoever has the address. */
export const linkNotFound = (): PageProblem =>
  new PageProblem(404, {
    title: 'This link is not valid',
    text: 'It may have been withdrawn or replaced. Ask whoever sent it to you for a new one.',
  });

export const wrongBrowser = (): PageProblem =>
  new PageProblem(400, {
    title: 'This step was not begun here',
    text: 'Open the link that you were sent, and go on in the same browser with cookies allowed.',
  });

export const usedBefore = (retryUrl: string): PageProblem =>
  new PageProblem(409, {
    title: 'This step was done before',
    text: 'Nothing was connected a second time. Start again to connect an account.',
    retryUrl,
  });

export const timeIsOver = (retryUrl: string): PageProblem =>
  new PageProblem(410, {
    title: 'The time for this step is over',
    text: 'Nothing was connected. Start again; there are 15 minutes from there.',
    retryUrl,
  });

export const refused = (retryUrl: string): PageProblem =>
  new PageProblem(200, {
    title: 'You did not give permission',
    text: 'Nothing was connected. If that was not what you wanted, you can try again.',
    retryUrl,
  });

export const noAccounts = (retryUrl: string): PageProblem =>
  new PageProblem(422, {
    title: 'There is no account to connect',
    text: 'You gave permission for no account of the kind that was asked for, or you do not manage one. Try again and select an account at the platform.',
    retryUrl,
  });

export const takenElsewhere = (retryUrl: string): PageProblem =>
  new PageProblem(409, {
    title: 'This account is connected already',
    text: 'It has to be disconnected where it is connected now before it can be connected here. You can also try again with another account.',
    code: 'CHANNEL_ALREADY_CONNECTED',
    retryUrl,
  });

export const platformRefused = (retryUrl: string): PageProblem =>
  new PageProblem(502, {
    title: 'The platform did not accept this',
    text: 'Nothing was connected. The permission may have been given too long ago; please try again.',
    retryUrl,
  });

export const platformAway = (retryUrl: string): PageProblem =>
  new PageProblem(504, {
    title: 'The platform does not answer',
    text: 'Nothing was connected. Please try again in a few minutes.',
    retryUrl,
  });
