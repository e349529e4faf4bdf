import { register } from 'node:module';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** The packages of GitHub import JSON files without the attribute that Node needs. */
const ADD_ATTRIBUTE = `
  export const load = (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context);
`;
register(`data:text/javascript,${encodeURIComponent(ADD_ATTRIBUTE)}`);

let validated = 0;

/** The errors and warnings that GitHub's own language service finds in a workflow or an action, with their lines. */
export async function githubProblems(path: string, text: string): Promise<string[]> {
  const { validate } = await import('@actions/languageservice');
  // It caches the content by the name of the file.
  validated += 1;
  const document = TextDocument.create(`file:///repository-${validated}/${path}`, 'yaml', 1, text);
  const problems = await validate(document);
  return problems.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
}
