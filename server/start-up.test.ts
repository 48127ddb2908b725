// The server does not start with clean steps whose order is undefined: bundled as it is built, with one number of its catalogue changed.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { bundlePrograms, TestProcess } from "@/server/testing/programs";
import type { Bundle } from "@/server/testing/programs";

/** `management.clear_tpm` gets the priority of `management.verify_bmc_baseline`. */
const tie: Plugin = {
  name: "tie",
  setup: (build) => {
    build.onLoad({ filter: /domain\/cleaning\/steps\/management\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = text.replace(
        /(step: "clear_tpm".*?priority: )\d+/s,
        `$1${findCleanStep("management", "verify_bmc_baseline")?.priority ?? 0}`,
      );
      if (contents === text) throw new Error("the catalogue has no such line any more");
      return { contents, loader: "ts" };
    });
  },
};

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundlePrograms([tie]);
}, 120_000);
afterAll(() => bundle?.remove());

// Nothing listens at that database, so getting as far as connecting would give another error.
const env = {
  DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
  PORT: "0",
  RECLAIM_BASE_URL: "http://127.0.0.1:1",
  NEXTAUTH_SECRET: randomBytes(24).toString("hex"),
  RECLAIM_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  RECLAIM_BMC_NETWORKS: "loopback",
  RECLAIM_STATE_DIR: "/nowhere",
};

async function expectToStop(roles: string): Promise<void> {
  const server = new TestProcess(bundle, "server", `server-${roles.replace(",", "-")}`, {
    ...env,
    RECLAIM_ROLES: roles,
  });
  server.start();
  expect(await server.ended()).toBe("code 1");
  expect(server.said()).toContain(
    "the clean steps management.verify_bmc_baseline and management.clear_tpm have the same priority 45",
  );
  expect(server.said()).not.toContain("ECONNREFUSED");
}

const title = "with the roles %s it stops and names both steps";
it.each(["web"])(title, { timeout: 120_000 }, expectToStop);
it.each(["controller", "web,controller"])(title, { tags: "all", timeout: 120_000 }, expectToStop);
