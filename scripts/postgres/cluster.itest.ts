// A data folder is either complete or absent: initdb is killed at any moment, with and without the process that waits for it.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pinnedNode } from "@/scripts/folders.mjs";
import { canReach, databaseAccount } from "@/scripts/postgres/account.mjs";
import { installedBinaries, openFolder } from "@/scripts/postgres/binaries.mjs";
import { initialise, start, stop } from "@/scripts/postgres/cluster.mjs";
import type { Cluster } from "@/scripts/postgres/cluster.mjs";
import { throwAway } from "@/scripts/postgres/settings.mjs";

let parent: string;
let cluster: Cluster;
beforeEach(() => {
  const account = databaseAccount();
  parent = mkdtempSync(join(canReach(tmpdir(), account) ? tmpdir() : openFolder(account), "reclaim-initdb-"));
  // Before any child begins: one that is killed early enough does nothing at all.
  chmodSync(parent, 0o711);
  cluster = {
    binDir: installedBinaries(account),
    dataDir: join(parent, "data"),
    account,
    password: "secret",
    logFile: join(parent, "postgres.log"),
    settings: throwAway,
  };
});
afterEach(async () => {
  await stop(cluster);
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
});

it.each([{ group: true }, { group: false }])(
  "after kill -9 in initdb it is made anew: %j",
  { timeout: 480_000 },
  async ({ group }) => {
    const program = `import { initialise } from ${JSON.stringify(new URL("cluster.mjs", import.meta.url).href)};
    initialise(${JSON.stringify(cluster)});`;
    for (let round = 0; round < 6; round += 1) {
      const child = spawn(pinnedNode, ["--input-type=module", "-e", program], {
        detached: true,
        stdio: "ignore",
      });
      const ended = new Promise((done) => child.once("exit", done));
      await new Promise((done) => setTimeout(done, 80 + round * 70));
      if (child.pid !== undefined && child.exitCode === null)
        process.kill(group ? -child.pid : child.pid, "SIGKILL");
      await ended;
    }
    initialise(cluster);
    expect((await start(cluster)).reused).toBe(false);
    expect(existsSync(join(cluster.dataDir, "PG_VERSION"))).toBe(true);
    expect(readdirSync(parent).filter((name) => name.includes(".password"))).toEqual([]);
  },
);
