/** Written by `npm run format` from package.json. */
export const version = '0.2.0';
