// ESLint: Next's rules, and the house rules that a type checker cannot see. What needs types or a compiler is oxlint's (.oxlintrc.json;
// docs/adr/0073-oxlint.md).
import nextVitals from "eslint-config-next/core-web-vitals";
import nextTypescript from "eslint-config-next/typescript";
import { connectListener } from "./scripts/checks/connect-listener.mjs";

const environment =
  "The environment is read in server/config.ts only: take what you need as an argument, or call its loader with process.env.";

const address =
  "Behind a proxy this is the proxy: request.clientAddress (server/surfaces/http/client-address.ts) is who asks.";

const hidden = {
  selector:
    ":matches(PropertyDefinition, MethodDefinition[kind!='constructor'], TSParameterProperty)[accessibility='private']",
  message: "Write #name: that is private at run time too.",
};

const anyUuid = {
  selector: "CallExpression[callee.object.name='z'][callee.property.name='uuid']",
  message:
    "Write z.guid(): machines and clients have UUIDs of no version, which z.uuid() refuses (docs/api-ironic.md).",
};

const inPrograms = [
  anyUuid,
  {
    selector:
      ":not(CallExpression[callee.name=/^(load\\w*Config|startError)$/]) > MemberExpression[object.name='process'][property.name='env']",
    message: environment,
  },
  hidden,
  { selector: "MemberExpression[object.name='request'][property.name='ip']", message: address },
];

const schemaOnce = {
  selector:
    ":function CallExpression[callee.object.name='z'][callee.property.name=/^(object|strictObject|array|record|enum|union|discriminatedUnion|guid|json)$/]",
  message:
    "Make a schema once, at the top of the file: to make one takes hundreds of times as long as to use it.",
};

const rawSql = {
  selector: "MemberExpression[property.name=/^\\$(query|execute)Raw/]",
  message:
    "Use the SQL builder: sqlOf, queryRows and execute of server/db/sql.ts (docs/adr/0041-typed-sql.md).",
};

/** Where React is. Elsewhere its rules would only cost: they took a ninth of the time of all rules. */
const withReact = ["app/**/*.{ts,tsx}", "components/**/*.{ts,tsx}", "e2e/**/*.{ts,tsx}", "proxy.ts"];

/** These two ask no compiler. */
const hooks = ["react-hooks/rules-of-hooks", "react-hooks/exhaustive-deps"];

/** A part of Next's rules, with those of React only where it is, and without those of its compiler, which are oxlint's. */
function reactWhereItIs(part) {
  if (part.rules === undefined) return [part];
  const rules = (ofReact) =>
    Object.fromEntries(
      Object.entries(part.rules)
        .filter(([name]) => name.startsWith("react") === ofReact)
        .filter(([name]) => !name.startsWith("react-hooks/") || hooks.includes(name)),
    );
  return [
    { ...part, rules: rules(false) },
    { files: withReact, rules: rules(true) },
  ];
}

const config = [
  {
    ignores: [
      "**/node_modules/",
      ".next/",
      "dist/",
      ".reclaim/",
      "next-env.d.ts",
      "server/db/generated/",
      "test-results/",
      "playwright-report/",
    ],
  },
  ...nextVitals.flatMap(reactWhereItIs),
  ...nextTypescript,
  {
    // A rule that does not fit is changed here, for everyone and with a reason.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "off",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/ban-ts-comment": [
        "error",
        { "ts-expect-error": true, "ts-ignore": true, "ts-nocheck": true, "ts-check": true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": "off",
    },
  },
  {
    // A function that fits on a screen can be read from top to bottom. A test tells one story, however long it is.
    ignores: ["**/*.{test,itest,spec}.{ts,tsx,mjs}"],
    rules: {
      "max-lines-per-function": [
        "error",
        { max: 60, skipBlankLines: false, skipComments: false, IIFEs: true },
      ],
    },
  },
  {
    // Modules are named from the top, so that a file moves without its imports; programs that run without a bundler use relative paths.
    files: ["**/*.ts", "**/*.tsx"],
    ignores: ["*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["./*", "../*"], message: "Name it from the top: @/server/..." }] },
      ],
    },
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    rules: {
      "no-restricted-syntax": ["error", hidden],
    },
  },
  {
    // Connections of PostgreSQL.
    plugins: { reclaim: { rules: { "connect-listener": connectListener } } },
    rules: { "reclaim/connect-listener": "error" },
  },
  {
    // Playwright's fixtures end with a call of `use`, which is no hook of React's.
    files: ["e2e/**"],
    rules: { "react-hooks/rules-of-hooks": "off" },
  },
  {
    files: ["app/**", "components/**", "server/**", "agent/**", "cli/**", "prisma/**", "*.ts"],
    ignores: ["server/config.ts", "**/*.itest.ts", "**/testing/**", "*.config.ts"],
    rules: {
      "no-restricted-syntax": ["error", ...inPrograms],
    },
  },
  {
    // docs/adr/0041-typed-sql.md
    files: ["server/**/*.ts"],
    ignores: ["server/config.ts", "**/*.test.ts", "**/*.itest.ts", "**/testing/**", "server/db/sql.ts"],
    rules: { "no-restricted-syntax": ["error", ...inPrograms, rawSql, schemaOnce] },
  },
  {
    // Functions that make schemas for others to keep.
    files: ["server/contract/define.ts", "server/domain/host-record/column.ts"],
    rules: { "no-restricted-syntax": ["error", ...inPrograms, rawSql] },
  },
];

export default config;
