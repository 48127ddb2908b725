// Tab completion in a real bash, with the built command against a real server.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBuiltAgainstServer } from "@/cli/testing/against-server";
import type { BuiltCommand } from "@/cli/testing/command";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

const run = promisify(execFile);
let server: ConsoleServer;
let command: BuiltCommand;
let stop: () => Promise<void>;
let token = "";
let completion = "";

beforeAll(async () => {
  ({ server, command, stop } = await startBuiltAgainstServer());
  token = await server.token("operator");
  completion = (await command.run(["completion", "bash"])).stdout;
  for (const name of ["tab-1", "tab-2", "rack-1"]) await server.world.host(name);
  writeFileSync(
    join(command.folder, "reclaim"),
    `#!/bin/sh\nexec '${process.execPath}' '${join(command.folder, "reclaim.js")}' "$@"\n`,
    { mode: 0o755 },
  );
});
afterAll(() => stop());

/** What bash would offer after this line; `url` null: no server responds. */
async function tab(line: string, { url = server.url, cache = "cache" } = {}): Promise<readonly string[]> {
  const script = `
    eval "$2"
    COMP_LINE="$1"; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(reclaim); COMP_CWORD=1
    _reclaim
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["-c", script, "bash", line, completion], {
    env: {
      PATH: `${command.folder}:${process.env.PATH ?? ""}`,
      HOME: command.home,
      NODE_ENV: "production",
      RECLAIM_URL: url,
      RECLAIM_TOKEN: token,
      XDG_CACHE_HOME: join(command.folder, cache),
    },
  });
  return stdout.trim() === "" ? [] : stdout.trim().split("\n");
}

describe("completion in bash", () => {
  it.each([
    ["reclaim hosts ma", ["maintenance", "manage"]],
    ["reclaim hosts maintenance ", ["set", "clear"]],
    ["reclaim hosts list --so", ["--sort"]],
    ["reclaim hosts list --sort n", ["name"]],
    ["reclaim -o ", ["table", "json", "yaml"]],
    ["reclaim hosts show tab", ["tab-1", "tab-2"]],
    ["reclaim hosts show rack-1 tab", []],
    ["reclaim hosts manage rack-1 tab", ["tab-1", "tab-2"]],
    ["reclaim release --host tab", ["tab-1", "tab-2"]],
    ["reclaim steps --site ", ["a"]],
    ["reclaim hosts list rac", ["rack:"]],
    // bash splits words at the colon, so the part before it is not repeated.
    ["reclaim hosts list state:Manag", ["Manageable"]],
    ["reclaim hosts list state:Ready rack:A0", ["A01"]],
    ["reclaim retry --filter is:fail", ["failed"]],
  ])("%s", async (line, offered) => expect(await tab(line)).toEqual(offered));

  it("keeps what the server said, for its owner only, and asks again soon", async () => {
    await tab("reclaim hosts show tab", { cache: "kept" });
    await server.world.host("tab-3");
    expect(await tab("reclaim hosts show tab", { cache: "kept" })).toEqual(["tab-1", "tab-2"]);
    const file = join(command.folder, "kept", "reclaim", "names.json");
    expect(readFileSync(file, "utf8")).not.toContain(token);
    writeFileSync(file, readFileSync(file, "utf8").replace(/"until":\d+/g, '"until":1'));
    expect(await tab("reclaim hosts show tab", { cache: "kept" })).toEqual(["tab-1", "tab-2", "tab-3"]);
  });
  it("offers the rest without a server, and no error", async () => {
    const offline = { url: "http://127.0.0.1:9", cache: "offline" };
    expect(await tab("reclaim hosts show tab", offline)).toEqual([]);
    expect(await tab("reclaim hosts list state:Manag", offline)).toEqual(["Manageable"]);
    expect(await tab("reclaim hosts ma", offline)).toEqual(["maintenance", "manage"]);
    expect(existsSync(join(command.folder, "offline", "reclaim", "names.json"))).toBe(true);
  });
});
