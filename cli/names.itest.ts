// `reclaim hosts names` and `hosts confirm-names` against a real server: what each source says, and names that are confirmed.
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand } from "@/cli/testing/command";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
let token = "";

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  token = await server.token("operator");
});
afterAll(() => stop());

const operator = (...args: string[]) => command.run(args, { url: server.url, token });

async function hostCalled(name: string, serial: string): Promise<void> {
  const { database } = server.world.backend;
  const hostId = await server.world.host(name);
  const { systemUuid } = await database.host.findUniqueOrThrow({
    where: { id: hostId },
    select: { systemUuid: true },
  });
  const lastSeenAt = new Date();
  await database.hostName.createMany({
    data: [
      { hostId, source: "agent", kind: "serial", value: serial, lastSeenAt },
      { hostId, source: "agent", kind: "uuid", value: systemUuid ?? "", lastSeenAt },
    ],
  });
}

it("shows what host and agent say, and confirms it", async () => {
  await hostCalled("names-a", "CHASSIS-A");
  const shown = await operator("hosts", "names", "names-a");
  expect(shown.code).toBe(exitCodes.ok.code);
  expect(shown.stdout).toMatch(/serial +SN-names-a +host +the host's/);
  expect(shown.stdout).toMatch(/serial +CHASSIS-A +agent +not the host's/);
  const confirmed = await operator("hosts", "confirm-names", "names-a", "--reason", "RMA 1", "--yes");
  expect(confirmed.code, confirmed.stderr).toBe(exitCodes.ok.code);
  const json = await operator("hosts", "names", "names-a", "-o", "json");
  expect(JSON.parse(json.stdout)).toContainEqual(
    expect.objectContaining({
      ...{
        value: "CHASSIS-A",
        standing: "confirmed",
        confirmed: expect.objectContaining({ reason: "RMA 1" }),
      },
    }),
  );
  const withdrawn = await operator(
    ...["hosts", "withdraw-name", "names-a", "CHASSIS-A", "--reason", "RMA 2", "--yes"],
  );
  expect(withdrawn).toMatchObject({ code: exitCodes.ok.code });
  expect(withdrawn.stderr).toContain("serial CHASSIS-A (agent) is withdrawn");
  const after = await operator("hosts", "names", "names-a");
  expect(after.stdout).toMatch(/serial +CHASSIS-A +agent +not the host's/);
  expect(await operator("hosts", "withdraw-name", "names-a", "X", "--reason", "x", "--yes")).toMatchObject({
    code: exitCodes.notNow.code,
  });
});

it("says why not: the name of another host, and nothing to confirm", async () => {
  await server.world.host("names-owner");
  await hostCalled("names-b", "SN-names-owner");
  const taken = await operator("hosts", "confirm-names", "names-b", "--reason", "x", "--yes");
  expect(taken.code).toBe(exitCodes.notNow.code);
  expect(taken.stderr).toContain("is a name of host names-owner");
  await server.world.host("names-c");
  const none = await operator("hosts", "confirm-names", "names-c", "--reason", "x", "--yes");
  expect(none.code).toBe(exitCodes.notNow.code);
});
