/**
 * Loads `.env` before `npm start` and `npm run admin`; variables that are set already win. Tests and benches run
 * without it, so that local settings can't change their outcome. Node's `--env-file` option would make an old Node fail
 * before the version check explains why.
 */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const path = join(__dirname, '..', '.env');
if (existsSync(path)) process.loadEnvFile(path);
