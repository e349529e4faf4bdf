/** Texts for people, told by their blanks: no verdict hangs on their wording. What `once` is told is a name, and no text. */
const prose = {
  shouldIgnore({ node, parent }) {
    const names = parent?.type === 'CallExpression' && parent.callee.property?.name === 'once';
    return !names && /\S +\S|: /.test(wordsOf(node)) ? 'wording of a message' : undefined;
  },
};

function wordsOf(node) {
  if (node.type === 'StringLiteral') return node.value;
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw).join('') : '';
}

// What declareValuePlugin of Stryker's API returns; that package is not ours to import.
export const strykerPlugins = [{ kind: 'Ignore', name: 'prose', value: prose }];
