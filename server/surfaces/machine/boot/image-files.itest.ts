// The cleaning image over real HTTP: the files that hosts boot are served, and nothing else in the folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send } from "@/server/surfaces/machine/testing/machine-fixture";

const folder = mkdtempSync(join(tmpdir(), "reclaim-image-files-"));
mkdirSync(join(folder, "2026.11.23", "deep"), { recursive: true });
for (const name of [
  "vmlinuz",
  "initrd.img",
  "initrd.img.sig",
  "image.json",
  "2026.11.23/vmlinuz",
  "2026.11.23/deep/vmlinuz",
])
  writeFileSync(join(folder, name), `content of ${name}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = machineServer({ bootImageDir: folder });

describe("/boot/image", () => {
  it.each(["vmlinuz", "initrd.img", "initrd.img.sig", "2026.11.23/vmlinuz"])("serves %s", async (name) => {
    const answer = await send(fixture, "GET", `/boot/image/${name}`);
    expect([answer.status, answer.text]).toEqual([200, `content of ${name}`]);
  });

  it.each([
    "image.json",
    "2026.11.23/deep/vmlinuz",
    "vmlinuz.sig",
    "",
    "../vmlinuz",
    "..%2fvmlinuz",
    "2026.11.23/..%2f..%2fvmlinuz",
    "%00vmlinuz",
  ])("has no %s", async (name) => {
    const answer = await send(fixture, "GET", `/boot/image/${name}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain("content of");
  });
});
