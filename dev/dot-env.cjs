/**
 * Loaded before `npm start` and `npm run admin`: reads a `.env` beside package.json; what the environment has already
 * stays. Tests and benches run without it, so that a person's own settings can't change their outcome. (Node's own
 * option for this would make an old Node stop before the version check says why.)
 */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const path = join(__dirname, '..', '.env');
if (existsSync(path)) process.loadEnvFile(path);
