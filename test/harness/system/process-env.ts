/** The settings of a service process. Inherits only what programs need, so that a developer's settings don't change a test. */
export function processEnv(settings: Readonly<Record<string, string>>): Record<string, string> {
  // `npm test` passes the path of the compile cache on.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    // The key that sealed the rows of the harness.
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    DEPLOYMENT: 'development',
    PLATFORM_VERIFY_TOKEN: 'handshake-token',
    // Tests poll.
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'info',
    ...settings,
  };
}
