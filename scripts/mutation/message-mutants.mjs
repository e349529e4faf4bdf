/** Ignores mutants of messages, recognised by their spaces. Arguments of `once` are names, not messages. */
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

// The value that declareValuePlugin of Stryker returns. The package of its API is not a dependency of the kit.
export const strykerPlugins = [{ kind: 'Ignore', name: 'prose', value: prose }];
