// The command against a real server: runbooks, failures, brakes, images, the audit log, the fleet, history and traits, by role.
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { commandByRole } from "@/cli/testing/against-server";
import type { Ended } from "@/cli/testing/command";

const { ok, usage, forbidden, notFound, notNow } = exitCodes;
const { as, database, started } = commandByRole();
const world = () => started().server.world;

const operator = (...args: string[]) => as("operator", ...args);
const json = (ended: Ended): unknown => JSON.parse(ended.stdout);

describe("runbooks", () => {
  const file = (name: string, text: string): string => {
    const path = join(started().command.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const steps = "steps:\n  - { interface: power, step: power_on }\n";

  it("are made from a file, shown as one that can be applied again, changed, renamed and deleted", async () => {
    const made = file("a.yaml", `name: Wake up\ntraits: [CUSTOM_WAKE]\n${steps}`);
    expect(await operator("runbooks", "apply", "-f", made)).toMatchObject({
      code: ok.code,
      stderr: "Runbook Wake up created, version 1.\n",
    });
    const shown = await operator("runbooks", "show", "Wake up");
    expect(parse(shown.stdout)).toEqual({
      name: "Wake up",
      description: "",
      version: 1,
      traits: ["CUSTOM_WAKE"],
      steps: [{ interface: "power", step: "power_on", args: {} }],
    });
    expect(json(await operator("runbooks", "show", "Wake up", "-o", "json"))).toMatchObject({ version: 1 });
    const renamed = file("b.yaml", shown.stdout.replace("Wake up", "Wake"));
    expect((await operator("runbooks", "apply", "Wake up", "-f", renamed)).stderr).toBe(
      "Runbook Wake changed, version 2.\n",
    );
    // The file has version 1, but the server has version 2.
    expect((await operator("runbooks", "apply", "Wake", "-f", renamed)).code).toBe(notNow.code);
    expect((await as("auditor", "runbooks", "list")).stdout).toMatch(/^Wake +2 +1 +no/m);
    expect((await operator("runbooks", "delete", "Wake")).code).toBe(usage.code);
    expect((await operator("runbooks", "delete", "Wake", "--yes")).stderr).toBe("Runbook Wake deleted.\n");
    expect(await operator("runbooks", "list")).toMatchObject({
      stdout: "",
      stderr: "No runbooks.\n",
    });
  });
  it("say what is wrong with a file", async () => {
    const wrong = await operator("runbooks", "apply", "-f", file("c.yaml", `name: x\nstep: []\n`));
    expect([wrong.code, wrong.stderr]).toEqual([
      usage.code,
      expect.stringContaining("c.yaml is not a valid runbook:"),
    ]);
    expect((await operator("runbooks", "show", "none")).code).toBe(notFound.code);
  });
  it("are changed by who may", async () => {
    const given = file("d.yaml", `name: No\ntraits: [CUSTOM_A]\n${steps}`);
    for (const role of ["auditor", "tenant-admin"] as const)
      expect((await as(role, "runbooks", "apply", "-f", given)).code).toBe(forbidden.code);
  });
});

describe("failures", () => {
  beforeAll(async () => {
    for (const name of ["fail-1", "fail-2"]) {
      const id = await world().host(name);
      await world().put(id, "Failed/NVMECleanFailed");
      await database().hostRun.update({ where: { hostId: id }, data: { lastError: "S1: refused Sanitize" } });
    }
  });
  const group = async (): Promise<string> =>
    (await operator("failures", "list", "--columns", "group")).stdout.split("\n")[1] ?? "";

  it("are listed in groups, shown and noted", async () => {
    expect((await operator("failures", "list")).stdout).toMatch(/^[0-9a-f]{8} +2 +NVMECleanFailed/m);
    const noted = await operator(
      "failures",
      "note",
      await group(),
      "--text",
      "vendor case 7",
      "--snooze",
      "2099-01-01",
    );
    expect(noted.code).toBe(usage.code);
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    expect(
      await operator("failures", "note", await group(), "--text", "vendor case 7", "--snooze", soon),
    ).toMatchObject({ code: ok.code, stderr: "Noted for 2 hosts.\n" });
    const shown = (await as("auditor", "failures", "show", await group())).stdout;
    expect(shown).toMatch(/^note +vendor case 7$/m);
    expect(shown).toMatch(/^all hosts +reclaim hosts list failure:[0-9a-f]{16}$/m);
    expect(shown).toMatch(/^fail-1 /m);
    // Options that are not given keep their values.
    await operator("failures", "note", await group(), "--snooze", "none");
    expect(json(await operator("failures", "list", "-o", "json"))).toMatchObject([
      { note: "vendor case 7", snoozed: false, count: 2 },
    ]);
  });
  it("need a group, something to note, and the right", async () => {
    expect((await operator("failures", "show", "ffffffff")).code).toBe(notFound.code);
    expect((await operator("failures", "note", await group())).code).toBe(usage.code);
    expect((await as("auditor", "failures", "note", await group(), "--text", "x")).code).toBe(forbidden.code);
    expect((await as("tenant-admin", "failures", "list")).code).toBe(forbidden.code);
  });
});

describe("brakes", () => {
  it("are listed and lifted by name", async () => {
    const lift = ["brakes", "lift", "model R750", "--reason", "new firmware", "--yes"];
    const brake = { siteId: world().siteId, dimension: "model", value: "R750", failed: 3, started: 4 };
    await database().brake.create({ data: { ...brake, message: "3 of 4 R750 failed" } });
    expect((await operator("brakes", "list")).stdout).toMatch(/model R750 .*3 of 4 R750 failed/);
    expect((await as("auditor", "brakes", "show", "model R750")).stdout).toMatch(
      /held +all hosts of its group[\s\S]*failures +not recorded by the release that put it on/,
    );
    const narrow = ["brakes", "narrow", "model R750", "--reason", "only X fails", "--yes", "--to"];
    expect((await operator(...narrow, "X")).code).toBe(usage.code);
    expect(await operator(...narrow, "driveFirmware=PM9A3 X")).toMatchObject({
      stderr: expect.stringContaining("No host whose failure put this brake on has PM9A3 X."),
    });
    expect((await as("auditor", ...narrow, "driveFirmware=PM9A3 X")).code).toBe(forbidden.code);
    expect((await as("auditor", ...lift)).code).toBe(forbidden.code);
    expect((await operator(...lift)).stderr).toBe("Brake lifted: 0 hosts can begin.\n");
    expect((await operator(...lift)).code).toBe(notFound.code);
  });
});

describe("images", () => {
  it("are added and withdrawn, and go no further before they came up", async () => {
    const admin = (...args: string[]) => as("provider-admin", "images", ...args);
    const added = ["add", "9.1", "--from", "http://images/9.1", "--hosts", "2"];
    expect((await as("operator", "images", ...added)).code).toBe(forbidden.code);
    expect(await admin(...added)).toMatchObject({ code: ok.code, stderr: "Agent image 9.1 added.\n" });
    expect((await admin("list")).stdout).toMatch(/9\.1 +candidate +2 hosts/);
    expect((await admin("widen", "9.1", "--to", "half")).code).toBe(usage.code);
    const early = await admin("widen", "9.1", "--to", "10%");
    expect([early.code, early.stderr]).toEqual([
      notNow.code,
      expect.stringContaining("It has not come up on any host yet."),
    ]);
    expect((await admin("make-current", "9.1", "--yes")).code).toBe(notNow.code);
    expect((await as("operator", "images", "withdraw", "9.1", "--reason", "slow", "--yes")).code).toBe(
      ok.code,
    );
    expect((await admin("list")).stdout).toMatch(/9\.1 +withdrawn/);
  });
});

describe("the audit log", () => {
  it("is listed by action, outcome, person and time, and shown with its facts", async () => {
    const admin = (...args: string[]) => as("provider-admin", "audit", ...args);
    const listed = await admin("list", "--action", "brake.lift", "-o", "json");
    expect(json(listed)).toMatchObject([
      { action: "brake.lift", outcome: "done" },
      { action: "brake.lift", outcome: "refused" },
    ]);
    expect(
      json(await admin("list", "--action", "brake.", "--outcome", "done", "--limit", "1", "-o", "json")),
    ).toHaveLength(1);
    expect(json(await admin("list", "--until", "1h", "-o", "json"))).toEqual([]);
    expect(json(await admin("list", "--since", "1h", "--by", "nobody", "-o", "json"))).toEqual([]);
    const id =
      (await admin("list", "--action", "failure.note", "--outcome", "done", "--columns", "id")).stdout.split(
        "\n",
      )[1] ?? "";
    const shown = (await as("auditor", "audit", "show", id)).stdout;
    expect(shown).toMatch(/^action +failure\.note$/m);
    expect(shown).toMatch(/^after +\{.*vendor case 7/m);
    expect((await admin("show", randomUUID())).code).toBe(notFound.code);
  });
  it("goes on over pages in order, also among events of one moment", async () => {
    const event = {
      actorKind: "system",
      action: "site.apply",
      outcome: "done",
      targetId: "many",
      at: new Date(),
    };
    await database().auditEvent.createMany({ data: Array.from({ length: 620 }, () => event) });
    const all = z
      .array(z.looseObject({ id: z.string() }))
      .parse(json(await as("auditor", "audit", "list", "--target", "many", "--limit", "610", "-o", "json")));
    expect([all.length, new Set(all.map(({ id }) => id)).size]).toEqual([610, 610]);
  });
  it.each(["operator", "tenant-admin", "repair-tenant-admin"] as const)("is not for %s", async (role) =>
    expect((await as(role, "audit", "list")).code).toBe(forbidden.code),
  );
});

describe("a host", () => {
  it("has a history, and traits that are set and taken away", async () => {
    expect(await operator("hosts", "history", "fail-1")).toMatchObject({
      code: ok.code,
      stderr: "Nothing yet.\n",
    });
    expect((await operator("hosts", "traits", "fail-1")).stderr).toBe("fail-1 has no traits.\n");
    expect((await operator("hosts", "traits", "fail-1", "CUSTOM_A", "CUSTOM_B")).stdout).toContain(
      "CUSTOM_B",
    );
    expect((await operator("hosts", "traits", "fail-1", "CUSTOM_B-")).stdout).not.toContain("CUSTOM_B");
    expect((await as("auditor", "hosts", "traits", "fail-1", "CUSTOM_C")).code).toBe(forbidden.code);
  });
});

describe("the fleet", () => {
  it("is told in numbers, to who may", async () => {
    const told = (await as("auditor", "fleet")).stdout;
    expect(told).toMatch(/^need attention +2: 2 failed/m);
    expect(json(await operator("fleet", "-o", "json"))).toMatchObject({ needPerson: { failed: 2 } });
    expect((await as("tenant-admin", "fleet")).code).toBe(forbidden.code);
  });
});
