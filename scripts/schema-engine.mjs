#!/usr/bin/env node
// Stands in for Prisma's native schema-engine: same JSON-RPC, backed by the WASM build on npm.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import readline from "node:readline";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory as bind, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { parseIntoClientConfig } from "pg-connection-string"; // fields, not a string: a connectionString would override the shadow database name

const argv = process.argv.slice(2);
const values = (flag) => argv.flatMap((a, i) => (a === flag ? [argv[i + 1]] : []));
const url = JSON.parse(values("--datasource")[0] ?? "{}").url;
const datamodels = values("--datamodels").map((f) => [f, readFileSync(f, "utf8")]);
const schema = () => (url ? (new URL(url).searchParams.get("schema") ?? undefined) : undefined);

if (argv.includes("--version")) {
  console.log("schema-engine-cli wasm");
  process.exit(0);
}

// ---- `cli` sub-commands: can-connect-to-database / create-database ----
const cli = argv.indexOf("cli");
if (cli >= 0) {
  const fail = (code, message) => {
    console.error(
      "\n" +
        JSON.stringify({
          level: "ERROR",
          target: "schema_engine::logger",
          fields: { error_code: code, message },
        }),
    );
    process.exit(1);
  };
  const u = new URL(url);
  const db = decodeURIComponent(u.pathname.slice(1));
  if (argv[cli + 1] === "create-database") u.pathname = "/postgres";
  const c = new pg.Client({ connectionString: u.href });
  c.on("error", () => undefined); // the query on it fails by itself
  try {
    await c.connect();
    if (argv[cli + 1] === "create-database") await c.query(`CREATE DATABASE ${c.escapeIdentifier(db)}`);
    await c.end();
    process.exit(0);
  } catch (e) {
    fail(e.code === "3D000" ? "P1003" : e.code === "28P01" ? "P1000" : "P1001", e.message || String(e.code));
  }
}

// ---- JSON-RPC over stdio ----
const require = createRequire(import.meta.url);
const bgPath = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg");
const bg = await import(bgPath);
const { instance } = await WebAssembly.instantiate(readFileSync(bgPath.replace(/\.js$/, ".wasm")), {
  "./schema_engine_bg.js": bg,
});
bg.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (m) => {
    process.stderr.write(JSON.stringify({ level: "ERROR", fields: { message: m } }) + "\n");
  },
};

// adapter-pg rejects the catalog type "char" (oid 18/1002) that the engine's introspection selects; type it here.
const CHAR = new Map([
  [18, ColumnTypeEnum.Character],
  [1002, ColumnTypeEnum.CharacterArray],
  [1003, ColumnTypeEnum.TextArray],
]);
const withChars = (a) => {
  const { queryRaw, performIO } = a;
  a.queryRaw = async (q) => {
    let types = [];
    const call = Object.create(a, {
      performIO: {
        value: async (x) => {
          const r = await performIO.call(a, x);
          types = r.fields.map((f) => CHAR.get(f.dataTypeID));
          return {
            ...r,
            fields: r.fields.map((f, i) => (types[i] === undefined ? f : { ...f, dataTypeID: 25 })),
          };
        },
      },
    });
    const r = await queryRaw.call(call, q);
    return { ...r, columnTypes: r.columnTypes.map((t, i) => types[i] ?? t) };
  };
  // adapter-pg splits a script at every ";", even inside a function's body; the server parses it correctly, and runs it in one transaction.
  a.executeScript = async (script) => {
    await a
      .underlyingDriver()
      .query(script)
      .catch((error) => a.onError(error));
  };
  return a;
};
class MigrationPg extends PrismaPg {
  async connect() {
    return withChars(await super.connect());
  }
  async connectToShadowDb() {
    const a = withChars(await super.connectToShadowDb());
    const pool = a.underlyingDriver();
    a.dispose = async () => {
      await pool.end();
      pool.end = async () => {};
      await a.release();
    }; // close before DROP DATABASE
    return a;
  }
}
const adapter = bind(
  new MigrationPg(parseIntoClientConfig(url ?? "postgresql://offline.invalid/x"), { schema: schema() }),
);
const engine = await bg.SchemaEngine.new(
  { datamodels: datamodels.length ? datamodels : undefined },
  () => {},
  adapter,
);
const send = (o) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...o }) + "\n");
let queue = Promise.resolve();
readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (!method) return; // reply to our own "print"
    queue = queue.then(async () => {
      try {
        const fn = { getDatabaseVersion: "version" }[method] ?? method;
        const p = Array.isArray(params) ? params[0] : params;
        let result = (await engine[fn](p)) ?? {};
        if (method === "diff" && result.stdout != null) {
          send({ id: 1e9 + id, method: "print", params: { content: result.stdout } });
          result = { exitCode: result.exitCode };
        }
        send({ id, result });
      } catch (e) {
        send({
          id,
          error: {
            code: 4466,
            message: "An error happened. Check the data field for details.",
            data: { is_panic: false, message: e.message, error_code: e.code, meta: e.meta ?? e.cause },
          },
        });
      }
    });
  })
  .on("close", () => queue.then(() => process.exit(0)));
