// `reclaim watch` against a real server: live changes, broken connections, and exit codes.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startBuiltAgainstServer } from "@/cli/testing/against-server";
import type { BuiltCommand, Running } from "@/cli/testing/command";
import type { State } from "@/server/domain/lifecycle/states";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: BuiltCommand;
let stop: () => Promise<void>;
let token = "";
const { ok, notFound, forbidden, otherwise, late, interrupted } = exitCodes;
const within = { timeout: 180_000 };

beforeAll(async () => {
  ({ server, command, stop } = await startBuiltAgainstServer());
  token = await server.token("operator");
});
afterAll(() => stop());

let count = 0;
async function host(state: State = "Manageable"): Promise<{ id: string; name: string }> {
  const name = `w-${(count += 1)}`;
  const id = await server.world.host(name);
  await server.world.put(id, state);
  return { id, name };
}
/** Does what the controller does: sets the state, and adds a row to the feed. */
async function move(id: string, state: State): Promise<void> {
  await server.world.put(id, state);
  await server.world.backend.database.feed.create({ data: { hostId: id, tenantId: null, what: "state" } });
}
const watch = (...args: string[]): Running => command.start(["watch", ...args], { url: server.url, token });
const lines = ({ stdout }: Running): unknown[] =>
  stdout()
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));

describe("watch", () => {
  it("says a line for each change, as JSON one per line, and ends with 130 on Ctrl-C", async () => {
    const { id, name } = await host();
    const running = watch(name, "-o", "json");
    await expect.poll(() => lines(running), within).toMatchObject([{ name, state: "Manageable" }]);
    await move(id, "WaitingForCleanup/Queued");
    await expect
      .poll(() => lines(running), within)
      .toMatchObject([
        { state: "Manageable" },
        { hostId: id, state: "WaitingForCleanup/Queued", at: expect.stringMatching(/Z$/) },
      ]);
    await server.world.backend.database.feed.create({
      data: { hostId: id, tenantId: null, what: "nothing that shows" },
    });
    await sleep(1_500);
    expect(lines(running)).toHaveLength(2);
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: interrupted.code, stderr: "" });
    await expect.poll(() => server.backend.feed.listeners, within).toBe(0);
  });
  it("goes on after the connection broke, and misses nothing", async () => {
    const { id, name } = await host();
    const running = watch(name);
    await expect.poll(running.stdout, within).toContain("Manageable");
    server.cutConnections();
    await move(id, "WaitingForCleanup/Queued");
    await expect.poll(running.stderr, within).toContain("The connection is lost");
    await expect.poll(running.stdout, within).toContain("WaitingForCleanup/Queued");
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(interrupted.code);
  });
  it("of a filter tells also of hosts that come to match", { tags: "all" }, async () => {
    const [first, other] = [await host("Verifying"), await host()];
    const running = watch("--filter", "state:Verifying", "-o", "json");
    await expect.poll(() => lines(running), within).toMatchObject([{ name: first.name }]);
    await move(other.id, "Verifying");
    await move(first.id, "Enroll");
    await expect.poll(() => lines(running).length, within).toBe(3);
    expect(lines(running).slice(1)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: other.name, state: "Verifying" }),
        expect.objectContaining({ name: first.name, state: "Enroll" }),
      ]),
    );
    running.child.kill("SIGINT");
    await running.ended;
  });
  it("ends with 3 when the token is taken away", { tags: "all" }, async () => {
    const { name } = await host();
    const person = server.world.actor("operator", "vela");
    const own = await server.token(person);
    const running = command.start(["watch", name], { url: server.url, token: own });
    await expect.poll(running.stdout, within).toContain("Manageable");
    await server.world.backend.database.apiToken.deleteMany({ where: { personId: person.personId } });
    await sleep(5_500); // the server caches what it knows of a token for 5 s
    server.cutConnections();
    expect((await running.ended).code).toBe(forbidden.code);
  });
});

describe("watch --until", () => {
  it("ends with 0 when every host is there", async () => {
    const [first, second] = [await host(), await host("Ready")];
    const running = watch(first.name, second.name, "--until", "ready");
    await expect.poll(running.stdout, within).toContain(second.name);
    await move(first.id, "Validation/MachineValidating");
    await expect.poll(running.stdout, within).toContain("MachineValidating");
    await move(first.id, "Ready");
    expect((await running.ended).code).toBe(ok.code);
  });
  it("ends at once where they are there already", { tags: "all" }, async () =>
    expect((await watch((await host("Ready")).name, "--until", "ready").ended).code).toBe(ok.code),
  );
  it("ends with 7 when one fails, after the others have come, and names it", async () => {
    const [good, bad] = [await host("WaitingForCleanup/HostCleanup"), await host("Failed/NVMECleanFailed")];
    const running = watch(good.name, bad.name, "--until", "ready");
    await expect.poll(running.stdout, within).toContain(bad.name);
    await move(good.id, "Ready");
    expect(await running.ended).toMatchObject({
      code: otherwise.code,
      stderr: expect.stringContaining(`Not ready: ${bad.name}.`),
    });
  });
  it("failed waits for that", { tags: "all" }, async () => {
    const { id, name } = await host("WaitingForCleanup/HostCleanup");
    const running = watch(name, "--until", "failed");
    await expect.poll(running.stdout, within).toContain(name);
    await move(id, "Failed/NVMECleanFailed");
    expect((await running.ended).code).toBe(ok.code);
  });
  it("ends with 7 when a host goes", { tags: "all" }, async () => {
    const { id, name } = await host();
    const running = watch(name, "--until", "ready");
    await expect.poll(running.stdout, within).toContain(name);
    await server.world.backend.database.host.delete({ where: { id } });
    await server.world.backend.database.feed.create({
      data: { hostId: id, tenantId: null, what: "deleted" },
    });
    expect(await running.ended).toMatchObject({
      code: otherwise.code,
      stderr: expect.stringContaining(`${name} is gone.`),
    });
  });
  it("ends with 8 when the time is over", { tags: "all" }, async () => {
    const { name } = await host();
    expect(await watch(name, "--until", "ready", "--timeout", "2s").ended).toMatchObject({
      code: late.code,
      stderr: expect.stringContaining(`Not ready in time: ${name}.`),
    });
  });
  it("of nothing is an error, and does not end well", { tags: "all" }, async () =>
    expect((await watch("--filter", "rack:none", "--until", "ready").ended).code).toBe(notFound.code),
  );
});

describe("an act with --wait", () => {
  it("is not satisfied with how the host was when it was asked", async () => {
    const { id, name } = await host();
    const running = command.start(
      [
        "clean",
        name,
        "--clean-steps",
        '[{"interface":"power","step":"reboot"}]',
        "--yes",
        "--wait",
        "-o",
        "json",
      ],
      { url: server.url, token },
    );
    await expect.poll(running.stderr, within).toContain(name);
    await sleep(1_000);
    expect(running.child.exitCode).toBeNull();
    await move(id, "ManualCleaning/RunningStep");
    await move(id, "Manageable");
    const { code, stdout } = await running.ended;
    expect(code).toBe(ok.code);
    expect(JSON.parse(stdout)).toMatchObject([{ host: name, accepted: true }]);
  });
});
