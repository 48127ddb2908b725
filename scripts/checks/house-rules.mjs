// Our own rules that need a syntax tree, as a plugin for oxlint (.oxlintrc.json says which files each applies to).
import { connectListener } from "./connect-listener.mjs";

/** A navigation within the console: the URL starts neither with a scheme nor with two slashes. @param {string} at */
const within = (at) =>
  [`${at}.value`, `${at}.quasis.0.value.cooked`, `${at}.left.value`]
    .map((address) => `[${address}=/^(?![a-z][\\d+.a-z-]*:|\\u002f\\u002f)/i]`)
    .join();

/** @param {string} object */
const isLocation = (object) => `:matches([${object}.name='location'], [${object}.property.name='location'])`;

/** Forbidden syntax, by rule: a selector of the syntax tree and its message. */
const restricted = {
  "private-by-name": [
    ":matches(PropertyDefinition, MethodDefinition[kind!='constructor'], TSParameterProperty)[accessibility='private']",
    "Write #name: that is private at run time too.",
  ],
  "any-uuid": [
    "CallExpression[callee.object.name='z'][callee.property.name='uuid']",
    "Write z.guid(): machines and clients have UUIDs of no version, which z.uuid() refuses (docs/api-ironic.md).",
  ],
  environment: [
    ":not(CallExpression[callee.name=/^(load\\w*Config|startError)$/]) > MemberExpression[object.name='process'][property.name='env']",
    "The environment is read in server/config.ts only: take what you need as an argument, or call its loader with process.env.",
  ],
  "client-address": [
    "MemberExpression[object.name='request'][property.name='ip']",
    "Behind a proxy this is the proxy: request.clientAddress (server/surfaces/http/client-address.ts) is who asks.",
  ],
  "schema-once": [
    ":function CallExpression[callee.object.name='z'][callee.property.name=/^(object|strictObject|array|record|enum|union|discriminatedUnion|guid|json)$/]",
    "Make a schema once, at the top of the file: to make one takes hundreds of times as long as to use it.",
  ],
  "raw-sql": [
    "MemberExpression[property.name=/^\\$(query|execute)Raw/]",
    "Use the SQL builder: sqlOf, queryRows and execute of server/db/sql.ts (docs/adr/0040-the-host-record-once.md).",
  ],
  // React's own types do not have the other removed members.
  "gone-from-react": [
    ":matches(MethodDefinition, PropertyDefinition)[key.name=/^componentWill(Mount|ReceiveProps|Update)$/]",
    "React does not call this any more.",
  ],
  // Navigating to our own pages must not reload the console.
  location: [
    `CallExpression[callee.property.name='assign']${isLocation("callee.object")}:matches(${within("arguments.0")}), AssignmentExpression[left.property.name='href']${isLocation("left.object")}:matches(${within("right")})`,
    "Use redirect() while rendering, or useRouter().push() in a handler.",
  ],
};

/**
 * @param {readonly string[]} rule
 * @returns {import("./connect-listener.mjs").Rule}
 */
const ruleOf = ([selector = "", message = ""]) => ({
  meta: { type: "problem" },
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
});

/** The rules that consist of a selector only. */
export const restrictions = Object.fromEntries(
  Object.entries(restricted).map(([name, rule]) => [name, ruleOf(rule)]),
);

const plugin = { meta: { name: "house" }, rules: { "connect-listener": connectListener, ...restrictions } };

export default plugin;
