// The agent's memory while it erases 64 drives, in its own process with the limits of the image.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { agent } from "@/scripts/bundles.mjs";

const folder = mkdtempSync(join(tmpdir(), "reclaim-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Memory that every host must have for the agent, whatever else it has. */
const maxBytes = 150_000_000;
/** As the image starts it. */
const init = readFileSync(new URL("../scripts/image/init", import.meta.url), "utf8");
const limits = /^\/usr\/bin\/node ((?:--\S+ )+)/m.exec(init)?.[1]?.trim().split(" ") ?? [];

const printed = z.object({
  result: z.object({
    result: z.enum(["OK", "ERROR"]),
    message: z.string(),
    devices: z.array(z.object({ result: z.string(), verification: z.object({ samples: z.number() }) })),
  }),
  maxRssBytes: z.number(),
});

it("is under 150 MB with 64 drives, at its highest", async () => {
  await build({
    ...agent,
    entryPoints: ["agent/testing/many-drives.ts"],
    sourcemap: false,
    outfile: join(folder, "many.mjs"),
  });
  const recordings = new URL("tools/machine/testing/recorded.json", import.meta.url);
  cpSync(fileURLToPath(recordings), join(folder, "recorded.json"));
  const args = [...limits, join(folder, "many.mjs")];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  const { result, maxRssBytes } = printed.parse(JSON.parse(stdout));
  expect(limits.join()).toContain("space-size");
  expect(result.message).toBe("64 devices erased and verified");
  expect(
    result.devices.map(({ verification }) => verification.samples).filter((samples) => samples >= 900),
  ).toHaveLength(64);
  expect(maxRssBytes).toBeLessThan(maxBytes);
});
