import type { Rule } from 'eslint';

/** Measures inner functions separately, so that factories, route files and test suites are not reported. */
export const functionLength: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer', minimum: 1 }],
    messages: { tooLong: 'This function has {{count}} own lines, more than {{max}}. Extract a part of it.' },
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
