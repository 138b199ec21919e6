/** The cookie that holds a browser session's opaque token. */
export const SESSION_COOKIE = 'service_session';
