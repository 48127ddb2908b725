// For tests that count: in which files code runs while something is done, and which statements are sent.
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import type { Pool, PoolClient } from "pg";

/** What Vite makes of an export: it runs whenever another file reads the name, so it says nothing. */
const exportGetter = /^\(\) => \{ try \{ return /;

/** Paths below `root`, sorted, of the files of `server/` in which a function was called during `work`. Their modules are loaded before. */
export async function filesThatRun(root: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  const inspector = new Session();
  inspector.connect();
  try {
    await inspector.post("Profiler.enable");
    await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await inspector.post("Profiler.takePreciseCoverage");
    await work();
    const { result } = await inspector.post("Profiler.takePreciseCoverage");
    await inspector.post("Profiler.stopPreciseCoverage");
    await inspector.post("Debugger.enable");
    const ran = new Set<string>();
    for (const { url, scriptId, functions } of result) {
      const path = url.startsWith("file:") ? fileURLToPath(url) : url;
      if (!path.startsWith(`${root}server/`)) continue;
      const called = functions.flatMap(({ ranges: [whole] }) =>
        whole !== undefined && whole.count > 0 ? [whole] : [],
      );
      if (called.length === 0) continue;
      const { scriptSource } = await inspector.post("Debugger.getScriptSource", { scriptId });
      if (
        called.some(
          ({ startOffset }) => !exportGetter.test(scriptSource.slice(startOffset, startOffset + 30)),
        )
      )
        ran.add(path.slice(root.length));
    }
    return [...ran].sort();
  } finally {
    inspector.disconnect();
  }
}

/** Notes the text of each statement that a pool sends from now on. */
export function noteStatements(pool: Pool, note: (text: string) => void): void {
  const known = new WeakSet<PoolClient>();
  pool.on("acquire", (client) => {
    if (known.has(client)) return;
    known.add(client);
    const send: unknown = Reflect.get(client, "query");
    if (typeof send !== "function") throw new Error("a connection without query");
    Reflect.set(client, "query", (...given: readonly unknown[]): unknown => {
      const [statement] = given;
      const text: unknown =
        typeof statement === "string" ? statement : Reflect.get(Object(statement), "text");
      if (typeof text === "string") note(text);
      return Reflect.apply(send, client, given);
    });
  });
}
