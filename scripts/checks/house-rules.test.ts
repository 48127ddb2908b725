// The house rules: each finds what it is meant to find, and accepts what only looks similar.
import { RuleTester } from "oxlint/plugins-dev";
import { describe, expect, it } from "vitest";
import { connectListener } from "@/scripts/checks/connect-listener.mjs";
import { restrictions } from "@/scripts/checks/house-rules.mjs";

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({ languageOptions: { parserOptions: { lang: "ts" } } });

const silent = (name: string) => [{ messageId: "silent", data: { name } }];

tester.run("connect-listener", connectListener, {
  valid: [
    'async (pool) => { const client = await pool.connect(); client.on("error", lost); }',
    'async () => { const client = new Client(); client.on("error", lost); try { await client.connect(); } finally { end(); } }',
    'class A { async b() { this.client = await this.pool.connect(); this.client.on("error", lost); } }',
    "class A { async b() { await this.connect(); } } connect(port); socket.connect(port);",
  ],
  invalid: [
    { code: "async (pool) => { const client = await pool.connect(); }", errors: silent("client") },
    {
      code: 'async (pool) => { pool.on("error", lost); const client = await pool.connect(); }',
      errors: silent("client"),
    },
    {
      code: "async () => { const client = new Client(); await client.connect(); }",
      errors: silent("client"),
    },
    {
      code: 'const client = new Client(); client.on("error", lost); const open = async () => { await client.connect(); };',
      errors: silent("client"),
    },
    { code: "class A { async b() { return this.pool.connect(); } }", errors: silent("this.pool") },
  ],
});

const cases: Record<string, { found: readonly string[]; taken: readonly string[] }> = {
  "private-by-name": {
    found: [
      "class A { private x = 1 }",
      "class A { private m() {} }",
      "class A { constructor(private readonly y: number) {} }",
    ],
    taken: ["class A { #x = 1; readonly y = 2; private constructor() {} }"],
  },
  "any-uuid": { found: ["z.uuid()"], taken: ["z.guid()", "uuid()"] },
  environment: {
    found: ["const a = process.env.HOME", 'read(process.env["HOME"])', "parse(process.env)"],
    taken: ["loadServerConfig(process.env)", "startError(process.env)"],
  },
  "client-address": { found: ["log(request.ip)"], taken: ["log(request.clientAddress)"] },
  "schema-once": {
    found: ["const f = () => z.object({})", "function f() { return a(z.enum([])); }"],
    taken: ["const a = z.object({})", "const f = () => z.string()"],
  },
  "raw-sql": { found: ["db.$queryRaw`x`", "db.$executeRawUnsafe(x)"], taken: ["queryRows(x)"] },
  "gone-from-react": {
    found: ["class A { componentWillMount() {} }", "class A { componentWillUpdate = f }"],
    taken: ["class A { componentDidMount() {} }"],
  },
  location: {
    found: [
      'location.assign("/hosts")',
      "window.location.assign(`/hosts/${id}`)",
      'location.href = "/hosts/" + id',
      'window.location.href = "?a"',
    ],
    taken: [
      'location.assign("https://example.com/")',
      'location.href = "//example.com"',
      "location.assign(next)",
      "location.reload()",
      'link.href = "/hosts"',
      'Object.assign("a", b)',
    ],
  },
};

it("has a test for each rule", () => expect(Object.keys(cases)).toEqual(Object.keys(restrictions)));

for (const [name, rule] of Object.entries(restrictions))
  tester.run(name, rule, {
    valid: [...(cases[name]?.taken ?? [])],
    invalid: (cases[name]?.found ?? []).map((code) => ({ code, errors: 1 })),
  });
