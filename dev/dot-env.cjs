/**
 * Variables that are already set take precedence. Tests and benches do not load this file. Node's `--env-file` option
 * would make an old Node fail before the version check.
 */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const path = join(__dirname, '..', '.env');
if (existsSync(path)) process.loadEnvFile(path);
