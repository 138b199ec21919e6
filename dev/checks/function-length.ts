import type { Rule } from 'eslint';

/**
 * Lines of a function without those of the functions inside it, which are measured for themselves. So a factory that
 * returns its closures, a file of routes or a test suite is as long as what it does, not as what it makes.
 */
export const functionLength: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer', minimum: 1 }],
    messages: { tooLong: 'This function has {{count}} lines of its own, more than {{max}}; give a part of it a name.' },
  },
  create(context) {
    const max: number = context.options[0];
    const innerLineCounts: number[] = [];

    function enter(): void {
      innerLineCounts.push(0);
    }

    function leave(node: Rule.Node): void {
      const lineCount = node.loc ? node.loc.end.line - node.loc.start.line + 1 : 0;
      const count = lineCount - (innerLineCounts.pop() ?? 0);
      if (count > max) context.report({ node, messageId: 'tooLong', data: { count, max } });
      const outer = innerLineCounts.length - 1;
      // The line that an inner function starts on belongs to the outer one as well.
      if (outer >= 0) innerLineCounts[outer] = (innerLineCounts[outer] ?? 0) + lineCount - 1;
    }

    return {
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      'FunctionDeclaration:exit': leave,
      'FunctionExpression:exit': leave,
      'ArrowFunctionExpression:exit': leave,
    };
  },
};
