// A rule for oxlint: whoever opens or borrows a connection must listen to its `error` in the same function. Without a listener, a broken connection
// ends the process.

/** @typedef {Exclude<Parameters<import("oxlint/plugins-dev").RuleTester["run"]>[1], { createOnce: unknown }>} Rule */
/** @typedef {ReturnType<Rule["create"]>} Visitor */
/** @typedef {Parameters<NonNullable<Visitor["CallExpression"]>>[0]} Call */
/** @typedef {Call | Call["parent"]} Node */

const functions = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "Program",
]);

/**
 * @param {Node} node
 * @returns {Node}
 */
function functionOf(node) {
  return node.parent === null || functions.has(node.type) ? node : functionOf(node.parent);
}

/**
 * The expression that a call's result is assigned to; null if it is not kept.
 * @param {Call} call
 */
function keptIn(call) {
  const to = call.parent?.type === "AwaitExpression" ? call.parent.parent : call.parent;
  if (to?.type === "VariableDeclarator") return to.id;
  return to?.type === "AssignmentExpression" ? to.left : null;
}

/** @type {Rule} */
export const connectListener = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      silent:
        '{{name}} has no listener for its error in this function: {{name}}.on("error", …), or use withConnection of server/db/connection.ts.',
    },
  },
  create(context) {
    const text = (/** @type {Parameters<typeof context.sourceCode.getText>[0]} */ node) =>
      context.sourceCode.getText(node);
    /** @type {{ node: Node, name: string, within: Node }[]} */
    const connections = [];
    /** @type {{ name: string, within: Node }[]} */
    const listeners = [];
    return {
      CallExpression(node) {
        const { callee } = node;
        if (
          callee.type !== "MemberExpression" ||
          callee.property.type !== "Identifier" ||
          callee.object.type === "Super"
        )
          return;
        const [event] = node.arguments;
        if (callee.property.name === "on" && event?.type === "Literal" && event.value === "error")
          listeners.push({ name: text(callee.object), within: functionOf(node) });
        if (
          callee.property.name !== "connect" ||
          event !== undefined ||
          callee.object.type === "ThisExpression" ||
          // A session of node:inspector is with this process itself and cannot break.
          text(callee.object) === "inspector"
        )
          return;
        connections.push({ node, name: text(keptIn(node) ?? callee.object), within: functionOf(node) });
      },
      "Program:exit"() {
        for (const { node, name, within } of connections) {
          if (!listeners.some((listener) => listener.name === name && listener.within === within))
            context.report({ node, messageId: "silent", data: { name } });
        }
      },
    };
  },
};
