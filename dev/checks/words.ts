import { reportFindings } from './findings.ts';
import { forbiddenWords } from './forbidden-words.ts';

/** Reads every text file of the project for words that must not be committed (see CONTRIBUTING.md). */
const textFile =
  /(?:^|\/)[^/]*\.(?:[cm]?[jt]s|json|md|ya?ml|sql|sh|html|css|txt|toml|tpl)$|(?:^|\/)(?:\.[\w.]+|\.ci\/run|Dockerfile)$/;

reportFindings(textFile, forbiddenWords);
