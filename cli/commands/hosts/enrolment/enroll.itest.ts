// `reclaim hosts enroll` and `reclaim enrolments` against a real server over HTTP: a file with faults, password references, and no password in any output.
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended } from "@/cli/testing/command";
import { sheetXml, workbookOf } from "@/server/domain/hosts/enrolment/testing/workbook";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const { ok, usage, forbidden, late, notFound } = exitCodes;
const planted = `planted-${randomUUID()}`;
const printed: string[] = [];

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  writeFileSync(join(command.folder, "bmc.password"), `${planted}\n`);
});
afterAll(() => stop());

async function as(role: Role, args: readonly string[]): Promise<Ended> {
  const ended = await command.run(args, {
    url: server.url,
    token: await server.token(role),
    env: { BMC_PASSWORD: planted },
  });
  printed.push(ended.stdout, ended.stderr);
  return ended;
}
const enroll = (...args: string[]) => as("operator", ["hosts", "enroll", ...args]);
const file = (name: string, ...lines: string[]): string => {
  const path = join(command.folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};

it("tries a file, enrols what is right in it, and shows where the hosts are", async () => {
  const path = file(
    "hosts.csv",
    "name,bmc_address,bmc_username,bmc_password,bmc_password_from,serial",
    `a-1,10.3.0.1,root,${planted},,S1`,
    "a-2,10.3.0.2,root,,file:bmc.password,",
    `a-3,10.3.0.1,root,${planted},,S3`,
    "a-4,10.3.0.4,,,env:BMC_PASSWORD,S4",
  );
  const dry = await enroll("--file", path, "--dry-run");
  expect(dry.code).toBe(usage.code);
  expect(dry.stdout).toMatch(
    /^LINE +HOST +PROBLEM\n4 +a-3 +bmc_address: line 2 has the same BMC[\s\S]+\n5 +a-4 +bmc_username: is missing/,
  );
  expect(dry.stderr).toContain(
    "Site a: 2 hosts can be enrolled, 2 hosts refused. Dry run, nothing was changed.",
  );
  expect(await server.world.backend.database.host.count()).toBe(0);

  const done = await enroll("--file", path, "--bmc-username", "admin");
  expect(done.code).toBe(usage.code);
  const [, id = ""] =
    /3 hosts enrolled, 1 host refused\. Enrolment ([0-9a-f-]{36})\./.exec(done.stderr) ?? [];
  expect(done.stderr).toContain("1 of 4 lines have errors.\nCorrect them");

  const shown = await as("auditor", ["enrolments", "show", id]);
  expect(shown.stdout).toMatch(/^LINE +HOST +STAGE +STATE/);
  expect(shown.stdout).toMatch(/2 +a-1 +verifying +Enroll/);
  expect(shown.stdout).toMatch(/4 +a-3 +refused .*same BMC address.* +Correct the line/);
  expect(shown.stderr).toBe("1 refused, 3 verifying\n");
  expect(JSON.parse((await as("auditor", ["enrolments", "list", "-o", "json"])).stdout)).toMatchObject([
    { id, fileName: "hosts.csv", lines: 4, goal: "ready", firstContact: "confirm" },
  ]);
  expect((await as("operator", ["enrolments", "show", id, "--stage", "stopped"])).stderr).toContain(
    "No host is at this stage.",
  );
  expect((await as("operator", ["enrolments", "retry", id])).stderr).toBe(
    "None of its hosts stopped in Enroll.\n",
  );
  expect((await as("operator", ["enrolments", "show", randomUUID()])).code).toBe(notFound.code);
});

it("enrols one host by options, and waits no longer than it may", async () => {
  const host = ["--bmc-address", "http://bmc.localhost:9", "--bmc-username", "root"];
  expect(
    await enroll(
      "--name",
      "b-1",
      ...host,
      "--bmc-password-from",
      "env:BMC_PASSWORD",
      "--wait",
      "--timeout",
      "1s",
    ),
  ).toMatchObject({ code: late.code, stderr: expect.stringContaining("1 verifying") });
  const again = await enroll("--name", "b-1", ...host, "--bmc-password-from", "env:BMC_PASSWORD");
  expect(again.code).toBe(usage.code);
  expect(again.stderr).toContain("no host was enrolled, 1 host refused");
});

it("enrols several hosts at one BMC, each its own system, and says whose password is not changed", async () => {
  const one = (name: string, system: string) =>
    enroll(
      ...["--name", name, "--bmc-address", "http://bmcs.localhost:9", "--bmc-system", system],
      ...["--bmc-username", "root", "--bmc-password-from", "env:BMC_PASSWORD", "--goal", "enrolled"],
    );
  expect((await one("s-1", "/redfish/v1/Systems/1")).code).toBe(ok.code);
  expect((await one("s-2", "/redfish/v1/Systems/2")).code).toBe(ok.code);
  const twice = await one("s-3", "/redfish/v1/Systems/2/");
  expect([twice.code, twice.stdout]).toEqual([
    usage.code,
    expect.stringContaining("bmc_system: host s-2 already has this system at the same BMC address"),
  ]);
  const set = (...args: string[]) =>
    as("operator", [
      "hosts",
      "set-bmc",
      ...args,
      "--password-from",
      "env:BMC_PASSWORD",
      "--no-retry",
      "--yes",
    ]);
  expect(await set("s-2", "--system", "/redfish/v1/Systems/3")).toMatchObject({
    code: ok.code,
    stderr: expect.stringContaining(
      "The same BMC serves s-1: each keeps its own user, password and certificate",
    ),
  });
  expect((await set("s-1", "s-2")).stderr).not.toContain("The same BMC");
  const shown = await as("auditor", ["hosts", "show", "s-2"]);
  expect(shown.stdout).toMatch(/bmc system +\/redfish\/v1\/Systems\/3/);
  expect(shown.stdout).toMatch(/also at this bmc +s-1/);
});

it("takes a workbook, with references to passwords, and says that it read the first sheet only", async () => {
  const path = join(command.folder, "hosts.xlsx");
  const rows = [
    ["name", "bmc_address", "bmc_username", "bmc_password_from", "serial", "slot"],
    ["x-1", "10.4.0.1", "root", "env:BMC_PASSWORD", "0012345", 7],
    ["x-2", "10.4.0.2", "root", "env:BMC_PASSWORD", 12_345, 8],
  ];
  writeFileSync(path, workbookOf(sheetXml(rows), sheetXml([["notes"]])));
  const done = await enroll("--file", path);
  expect(done.stderr).toContain(
    'The workbook has 2 sheets. Only "Sheet1", the first one that is not hidden, was read.',
  );
  expect(done.stderr).toContain("1 host enrolled, 1 host refused");
  expect(done.stdout).toMatch(/3 +x-2 +serial: is a number, and may have lost zeros/);
  expect(
    await server.world.backend.database.host.findUniqueOrThrow({
      where: { name: "x-1" },
      select: { expectedSerial: true, slot: true },
    }),
  ).toEqual({ expectedSerial: "0012345", slot: "7" });
  writeFileSync(path, workbookOf(sheetXml(rows)).subarray(0, 300));
  expect((await enroll("--file", path)).stderr).toContain("the file is no workbook that can be read");
});

it("refuses what is no list, a file that is none, a secret that is not there, and who may not", async () => {
  expect((await enroll("--name", "c-1")).stderr).toContain("--bmc-address");
  expect(await enroll("--file", "nowhere.csv")).toMatchObject({ code: usage.code });
  expect((await enroll("--file", file("x.csv", "name,bmc_address", "x,y"), "--rack", "A1")).stderr).toContain(
    "--rack is for one host",
  );
  expect((await enroll("--file", file("y.csv", "name", "x"))).stderr).toContain("bmc_address: is missing");
  expect(
    (await enroll("--name", "d", "--bmc-address", "b", "--bmc-password-from", "env:NOTHING")).stderr,
  ).toContain("the variable NOTHING is not set");
  const one = [
    "hosts",
    "enroll",
    "--name",
    "e",
    "--bmc-address",
    "b",
    "--bmc-username",
    "u",
    "--bmc-password-from",
    "env:BMC_PASSWORD",
  ];
  expect((await as("auditor", one)).code).toBe(forbidden.code);
  expect(await as("provider-admin", [...one, "--dry-run"])).toMatchObject({ code: ok.code });
});

it("has printed no password", () => {
  expect(printed.join("")).not.toContain(planted);
});
