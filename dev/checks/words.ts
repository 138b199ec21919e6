import { reportFindings } from './findings.ts';
import { forbiddenWords } from './forbidden-words.ts';

const textFile =
  /(?:^|\/)[^/]*\.(?:[cm]?[jt]s|json|md|ya?ml|sql|sh|html|css|txt|toml|tpl)$|(?:^|\/)(?:\.[\w.]+|\.ci\/run|Dockerfile)$/;

reportFindings(textFile, forbiddenWords);
