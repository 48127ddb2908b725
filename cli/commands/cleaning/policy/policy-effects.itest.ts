// `reclaim policy preview` and `erase` against a real server: the reported effect, the confirmation before saving, and permissions.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended } from "@/cli/testing/command";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const { ok, usage, forbidden } = exitCodes;

const as = async (role: Role, ...args: string[]): Promise<Ended> =>
  command.run(["policy", ...args], { url: server.url, token: await server.token(role) });

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  await reportHardware(server.world, await server.world.host("h1"), [nvme("S1", { model: "NEW" })]);
});
afterAll(() => stop());

describe("reclaim policy preview", () => {
  it("names models of which nothing tells, and what cannot be told of other settings", async () => {
    const { code, stdout } = await as("auditor", "preview", "--preset", "clear", "--tests", "gpu");
    expect(code).toBe(ok.code);
    expect(stdout).toMatch(/NEW +nvme +1 +0 +0 +1 +no erase of it is recorded/);
    expect(stdout).toMatch(/Validation tests +unknown +gpu never ran/);
    expect(stdout).toContain("0 ended or stopped");
  });

  it("tells of gates that the site would do without, and reads no drives for it", async () => {
    const { code, stdout } = await as("auditor", "preview", "--require", "healthy=off");
    expect(code).toBe(ok.code);
    expect(stdout).toMatch(/Gate healthy +no change +it holds no host at a demo site/);
    expect(stdout).not.toMatch(/NEW +nvme/);
  });

  it("takes every limit, and what a site document says", async () => {
    const limits = ["--boots-per-minute", "3", "--tenant-releases-per-hour", "none", "--segment", "row-1=2"];
    const { code, stdout } = await as("auditor", "preview", ...limits);
    expect(code).toBe(ok.code);
    for (const setting of ["Boots per minute and", "Releases per tenant", "Boots per minute, by segment"])
      expect(stdout).toContain(setting);
    const file = join(command.folder, "site.yaml");
    writeFileSync(
      file,
      "format: 1\nsite: a\npolicy: {admission: {atWork: 4}, brake: {hosts: 3}}\npriorities: {deploy.erase_nvme: 0}\n",
    );
    const told = await as("auditor", "preview", "--document", file, "--per-power-domain", "2");
    expect(told.stdout).toMatch(/Hosts in progress /);
    expect(told.stdout).toMatch(/Priority of deploy\.erase_nvme/);
    expect(told.stdout).toMatch(/Hosts in progress per power/);
    expect(told.stdout).toMatch(/Brake/);
    writeFileSync(file, "format: 1\nsite: a\ncolour: red\n");
    expect(await as("auditor", "preview", "--document", file)).toMatchObject({ code: usage.code });
  });

  it.each([
    [["preview", "--preset", "best"]],
    [["preview", "--priority", "nonsense"]],
    [["preview", "--require", "storageSanitized=off"]],
    [["preview", "--require", "healthy"]],
    [["erase"]],
  ])("refuses %j", async (args) => {
    expect(await as("provider-admin", ...args)).toMatchObject({ code: usage.code });
  });

  it("refuses a tenant", async () => {
    expect(await as("tenant-admin", "preview", "--preset", "clear")).toMatchObject({ code: forbidden.code });
  });
});

describe("reclaim policy erase", () => {
  it("sets a preset, or what a file says, as a new version", async () => {
    expect(await as("provider-admin", "erase", "--preset", "sp-800-88r1-purge", "--yes")).toMatchObject({
      code: ok.code,
      stderr: "Site a: policy version 2.\n",
    });
    const file = join(command.folder, "erase.yaml");
    writeFileSync(file, "standard: ieee-2883\nfallback: true\n");
    expect(await as("provider-admin", "erase", "-f", file, "--yes")).toMatchObject({ code: usage.code });
    expect((await as("auditor", "show")).stdout).toMatch(/sanitization\.standard +sp-800-88r1/);
  });

  it("is refused to an operator", async () => {
    expect(await as("operator", "erase", "--preset", "clear", "--yes")).toMatchObject({
      code: forbidden.code,
    });
  });
});
