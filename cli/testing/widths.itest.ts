// Every list at 80 columns, with names, states and texts of maximum length: no line is longer, and no state is cut.
import { afterAll, beforeAll, expect, it } from "vitest";
import { startAgainstServer, type AgainstServer } from "@/cli/testing/against-server";
import { atTerminal } from "@/cli/testing/terminal";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { allStates } from "@/server/domain/lifecycle/states";

const columns = 80;
/** The longest state that a host can be in. */
const longest = allStates().reduce((a, b) => (b.length > a.length ? b : a));
const sentence =
  "The drive refused Sanitize, its firmware does not support it, and nobody knows why it says so. ".repeat(6);
const nameOf = (number: number) => `gpu-berlin-hall-${number}-r12-u07`;

let against: AgainstServer;
let token = "";
const text = "a-long-word-".repeat(5);

beforeAll(async () => {
  against = await startAgainstServer();
  const { world } = against.server;
  const { database } = world.backend;
  token = await against.server.token("provider-admin");
  const states = [longest, "Failed/NetworkReconfigTimeout", "WaitingForCleanup/Queued", "Ready"] as const;
  for (const [index, state] of states.entries()) {
    const hostId = await world.host(nameOf(index));
    await world.put(hostId, state);
    await database.host.update({
      where: { id: hostId },
      data: {
        rack: text,
        slot: text,
        model: text,
        manufacturer: text,
        traits: [text.toUpperCase().replaceAll("-", "_")],
      },
    });
    await database.hostRun.update({
      where: { hostId },
      data: { lastError: sentence, waitReason: sentence, cleanMessage: sentence },
    });
    await database.stateHistory.create({
      data: { hostId, version: 99n, state, reason: sentence, generation: 1n },
    });
    await database.instance.create({
      data: {
        name: `training-run-${index}-of-the-large-model-with-a-name`,
        hostId,
        tenantId: world.tenants.acme,
      },
    });
    await database.reclamation.create({
      data: {
        hostId,
        hostSerial: text,
        kind: "release",
        policyVersion: 1,
        policy: defaultPolicy(),
        message: sentence,
      },
    });
    await database.auditEvent.create({
      data: {
        actorKind: "person",
        actorName: text,
        action: "host.acceptLeftovers",
        targetKind: "host",
        targetId: hostId,
        outcome: "refused",
        after: { reason: sentence },
      },
    });
  }
});
afterAll(() => against.stop());

it.each([
  "hosts list",
  `hosts history ${nameOf(0)}`,
  "hosts views",
  "hosts filter-values",
  `hosts drives ${nameOf(0)}`,
  "hosts gone",
  "enrolments list",
  "fleet",
  "instances list",
  "reclamations list",
  "steps --site a",
  "policy show",
  "policy priorities list",
  "site history",
  "site authorities",
  "platform rollout list",
  "skus list",
  "skus groups",
  "runbooks list",
  "queue",
  "search gpu",
  "brakes list",
  "failures list",
  "next",
  "next --columns what,next,command",
  "images list",
  "users list",
  "tokens list",
  "sessions list",
  "audit list",
  `hosts show ${nameOf(1)}`,
])("%s", async (line) => {
  const { code, stdout, stderr } = await atTerminal([...line.split(" "), "--utc"], {
    env: { RECLAIM_URL: against.server.url, RECLAIM_TOKEN: token, NO_COLOR: "1" },
    home: against.command.home,
    columns,
  });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").filter((shown) => [...shown].length > columns)).toEqual([]);
});

it.each(["hosts list", `hosts history ${nameOf(0)}`, "hosts list --columns name,state,rack,site"])(
  "%s has the state whole",
  async (line) => {
    const { stdout } = await atTerminal(line.split(" "), {
      env: { RECLAIM_URL: against.server.url, RECLAIM_TOKEN: token, NO_COLOR: "1" },
      home: against.command.home,
      columns,
    });
    expect(stdout).toContain(longest);
  },
);
