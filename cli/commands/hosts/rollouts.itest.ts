// `reclaim platform rollout` against a real server over HTTP: from the request through another person's approval and each stage to its end, and what is refused.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { commandByRole } from "@/cli/testing/against-server";
import { hashPassword } from "@/server/db/secrets/passwords";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";

const { ok, usage, forbidden, notFound, notNow } = exitCodes;
const { started, as, database } = commandByRole();
const admin = (...args: string[]) => as("provider-admin", "platform", "rollout", ...args);
const firmware = [{ component: "BIOS", version: "1.8" }];
const file = (name: string) => join(started().command.folder, name);
const why = ["--reason", "CVE-2026-1"];

beforeAll(async () => {
  await database().person.updateMany({ data: { passwordHash: await hashPassword("fourteen gates") } });
  writeFileSync(file("password"), "fourteen gates");
  writeFileSync(
    file("bios.yaml"),
    `images: [{ component: BIOS, version: "1.9", url: "http://images.test/1.9", checksum: "${"a".repeat(64)}" }]`,
  );
});
beforeEach(async () => {
  await database().firmwareRollout.deleteMany();
  await database().host.deleteMany();
  await database().sku.deleteMany();
  const { id: skuId } = await database().sku.create({
    data: { name: "R750", components: { ...skuComponents, baseline: { firmware } } },
  });
  for (const name of ["r1", "r2"]) {
    const id = await started().server.world.host(name);
    await database().host.update({ where: { id }, data: { skuId } });
  }
});

const start = () =>
  admin(
    "start",
    "R750",
    "--file",
    file("bios.yaml"),
    "--stages",
    "1,50%,100%",
    "--max-failures",
    "2",
    ...why,
  );

/** Requested by one provider admin, approved by another. */
async function approved(): Promise<void> {
  expect(await start()).toMatchObject({ code: ok.code });
  const { server, command } = started();
  const token = await server.token(server.world.actor("provider-admin", "vela"));
  const { approvalId } = await database().firmwareRollout.findFirstOrThrow();
  const args = ["approvals", "approve", approvalId, "--password-from", `file:${file("password")}`, "--yes"];
  expect(await command.run(args, { url: server.url, token })).toMatchObject({ code: ok.code });
}

describe("reclaim platform rollout", () => {
  it("says so where there is none", async () => {
    expect(await admin("list")).toMatchObject({
      ...{ code: ok.code, stdout: "", stderr: "No firmware rollouts.\n" },
    });
    expect((await admin("list", "-o", "json")).stdout).toBe("[]\n");
    expect(await admin("show", "R750")).toMatchObject({
      ...{ code: notFound.code, stderr: "There is no firmware rollout R750.\n" },
    });
  });

  it("waits for another person, and is then listed and shown with its stages and hosts", async () => {
    expect(await start()).toMatchObject({
      code: ok.code,
      stderr: "R750: the rollout waits for another person's approval (reclaim approvals list).\n",
    });
    expect((await admin("show", "R750")).stdout).toMatch(/state +waits/);
    await database().firmwareRollout.deleteMany();
    await approved();
    const { stdout, stderr } = await admin("list");
    expect(stdout).toMatch(/R750 +running +BIOS 1\.8 → 1\.9 +1 host \(1 of 3\) +2 +0 +0 +0/);
    expect(stderr).toBe("Firmware updates: 2 hosts pending, 0 running, 0 failed. DPUs: not reported.\n");
    const shown = (await admin("show", "R750")).stdout;
    for (const line of [
      ...[/state +running/, /stage +1 host \(1 of 3\) of 1 host, 50 %, 100 %/, /let in +0 of 1 host/],
      ...[/pauses after +2 failed/, /BIOS +1\.8 → 1\.9, http:\/\/images\.test\/1\.9/],
      ...[/r1 +pending/, /r2 +pending/],
    ])
      expect(shown).toMatch(line);
    expect(JSON.parse((await admin("show", "R750", "-o", "json")).stdout)).toMatchObject({
      ...{ sku: "R750", state: "running", stage: 0, list: [{ host: "r1" }, { host: "r2" }] },
    });
  });

  it("is paused, resumed, widened, finished, and then over", async () => {
    await approved();
    const done = async (act: string, words: string) =>
      expect(await admin(act, "R750", ...why, "--yes")).toMatchObject({
        code: ok.code,
        stderr: expect.stringContaining(words),
      });
    await done("pause", "R750: paused. No further host takes the new firmware.");
    expect((await admin("show", "R750")).stdout).toMatch(/paused +by .*: CVE-2026-1/);
    await done("resume", "R750: resumed.");
    await done("next", "R750: the next stage is open.");
    expect((await admin("list")).stdout).toContain("50 % (2 of 3)");
    await done("next", "R750: the next stage is open.");
    await done("finish", "R750: finished.");
    expect((await admin("list")).stdout).toMatch(/R750 +finished/);
    // The baseline names the new version by now.
    expect(await start()).toMatchObject({
      ...{ code: usage.code, stderr: "The baseline of R750 already names these versions.\n" },
    });
  });

  it("asks before it goes on, and names what follows", async () => {
    await approved();
    const asked = await admin("abort", "R750", ...why);
    expect(asked.code).not.toBe(ok.code);
    expect(asked.stderr).toContain("Hosts that took it keep it: 0.");
    expect((await admin("list")).stdout).toMatch(/R750 +running/);
    const { stderr } = await admin("abort", "R750", ...why, "--yes");
    expect(stderr).toContain("R750: aborted.");
    expect((await admin("list")).stdout).toMatch(/R750 +aborted/);
  });

  it("a refusal says what is true, and nothing else", async () => {
    await approved();
    expect(await start()).toMatchObject({
      code: notNow.code,
      stderr:
        "A firmware rollout of R750 is in progress or waits for its approval. Finish or abort it first.\n",
    });
    expect(await admin("resume", "R750", ...why, "--yes")).toMatchObject({
      ...{ code: notNow.code, stderr: "The rollout of R750 is running.\n" },
    });
    expect(await admin("finish", "R750", ...why, "--yes")).toMatchObject({
      code: notNow.code,
      stderr: "Not all stages are open: open the next one, or abort the rollout.\n",
    });
    // A host has a list of what is possible.
    expect(await as("provider-admin", "parts", "accept", "r1", "--reason", "x", "--yes")).toMatchObject({
      code: notNow.code,
      stderr: expect.stringContaining("\n`reclaim hosts show r1` shows what is possible now.\n"),
    });
  });

  it("stages that cannot be read, and an operator who starts one, are refused", async () => {
    const args = ["start", "R750", "--file", file("bios.yaml"), ...why, "--stages"];
    expect(await admin(...args, "some")).toMatchObject({ code: usage.code });
    expect(await admin(...args, "1")).toMatchObject({
      ...{ code: usage.code, stderr: expect.stringContaining("the last stage must be 100 %") },
    });
    expect(await as("operator", "platform", "rollout", ...args, "100%")).toMatchObject({
      code: forbidden.code,
    });
  });
});
