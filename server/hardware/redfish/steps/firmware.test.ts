// Updates of several components at a BMC that lists its firmware late, and what its refusal of a file means.
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { StepCall } from "@/server/hardware/interfaces";
import type { Handle } from "@/server/hardware/redfish/steps/step-code";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { send, taskPath, TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

const permitted = { ...within, permit: async () => true };
const inventory = "/redfish/v1/UpdateService/FirmwareInventory";
const idrac = "Integrated Dell Remote Access Controller";
const settingOf = (component: string) => ({
  component,
  url: `http://images.example/${component.split(" ")[0] ?? ""}-9.1.1.exe`,
  checksum: "a".repeat(64),
});

let bmc: TreeBmc;
let client: RedfishClient;
let call: StepCall;
let nowMs: number;

beforeEach(async () => {
  bmc = await TreeBmc.start("dell");
  nowMs = Date.parse("2026-11-30T00:00:00Z");
  ({ client } = clientForTests({ date: () => new Date(nowMs) }));
  call = {
    target: await discoveredTarget(bmc, client),
    args: { settings: [settingOf(idrac), settingOf("BIOS")] },
    known: { platform: noPlatformFacts, baseline: null },
  };
  bmc.fault = ({ method, path }, response) =>
    method === "POST" &&
    path.endsWith("UpdateService.SimpleUpdate") &&
    (send(response, 202, "", { location: taskPath }), true);
});
afterEach(async () => {
  await bmc.stop();
  await client.close();
});

const step = () => typeOf(client, "idrac").steps.get("firmware.update");
const begin = () => step()?.begin(call, permitted);
const look = (handle: Handle) => step()?.check(call, handle, permitted);
const first = { task: taskPath, sentAt: 0, index: 0, before: "6.00.30.00", doneAt: null, said: [] };
const ordered = () => bmc.takeLines().filter((line) => line.startsWith("POST") && line.includes("Update"));

/** The BMC lists only components whose path has one of these words. */
function list(words: readonly string[]): void {
  bmc.replaced.delete(inventory);
  const whole = bmc.contentOf(inventory);
  const members = (whole["Members"] as { "@odata.id": string }[]).filter((row) =>
    words.some((word) => row["@odata.id"].includes(word)),
  );
  bmc.replaced.set(inventory, { ...whole, Members: members, "Members@odata.count": members.length });
}

it("after an update, components that the BMC does not list yet are waited for, and then the next one is updated", async () => {
  bmc.task = { "@odata.id": taskPath, Name: "update", TaskState: "Completed", TaskStatus: "OK" };
  list(["iDRAC"]);
  const waiting = await look(first);
  expect(waiting).toMatchObject({
    ok: true,
    value: { kind: "running", message: expect.stringContaining("BIOS") },
  });
  expect(ordered()).toEqual([]);
  list([]);
  expect(await look(first)).toMatchObject({ ok: true, value: { kind: "running" } });
  bmc.replaced.delete(inventory);
  const handle = waiting?.ok === true && waiting.value.kind === "running" ? waiting.value.handle : null;
  expect(await look(handle)).toMatchObject({
    ok: true,
    value: { kind: "running", handle: { index: 1 } },
  });
  expect(ordered()).toHaveLength(1);
});

it("a component that is never listed again fails the attempt after a while, and another attempt may follow", async () => {
  bmc.task = { "@odata.id": taskPath, Name: "update", TaskState: "Completed", TaskStatus: "OK" };
  list(["iDRAC"]);
  const waiting = await look(first);
  const handle = waiting?.ok === true && waiting.value.kind === "running" ? waiting.value.handle : null;
  nowMs += 16 * 60_000;
  const ended = await look(handle);
  expect(ended).toMatchObject({
    ok: true,
    value: { kind: "failed", message: expect.stringContaining("BIOS") },
  });
  expect(ended).not.toMatchObject({ value: { final: true } });
});

it("an empty list of firmware says nothing about the arguments; one without a component does, before anything is updated", async () => {
  list([]);
  const empty = await begin();
  expect(empty).toMatchObject({ ok: true, value: { kind: "failed" } });
  expect(empty).not.toMatchObject({ value: { final: true } });
  list(["iDRAC"]);
  expect(await begin()).toMatchObject({
    ok: true,
    value: { kind: "failed", final: true, message: "the BMC lists no component BIOS" },
  });
  expect(ordered()).toEqual([]);
});

it("a file for another component is not tried again; one that could not be verified is, because its transfer may have broken", async () => {
  const refused = (messageId: string) => ({
    ...{ "@odata.id": taskPath, Name: "update", TaskState: "Exception", TaskStatus: "Critical" },
    Messages: [{ MessageId: messageId, Message: "refused" }],
  });
  bmc.task = refused("Update.1.0.UpdateNotApplicable");
  expect(await look(first)).toMatchObject({ ok: true, value: { kind: "failed", final: true } });
  bmc.task = refused("Update.1.0.VerificationFailed");
  const broken = await look(first);
  expect(broken).toMatchObject({ ok: true, value: { kind: "failed" } });
  expect(broken).not.toMatchObject({ value: { final: true } });
});

it("a BMC that restarts with its new firmware and forgets its task is not updated again", async () => {
  bmc.task = { "@odata.id": taskPath, Name: "update", TaskState: "Completed", TaskStatus: "OK" };
  list([]);
  const waiting = await look(first);
  const handle = waiting?.ok === true && waiting.value.kind === "running" ? waiting.value.handle : null;
  bmc.task = null;
  nowMs += 6 * 60_000;
  // While it starts it has no list at all.
  const { fault } = bmc;
  bmc.fault = ({ path }, response) => path.endsWith("/FirmwareInventory") && (send(response, 404, {}), true);
  expect(await look(handle)).toMatchObject({ ok: true, value: { kind: "running" } });
  bmc.fault = fault;
  bmc.replaced.delete(inventory);
  expect(await look(handle)).toMatchObject({ ok: true, value: { kind: "running", handle: { index: 1 } } });
  expect(ordered()).toHaveLength(1);
});

it.each([
  ["tells another version has updated", "6.00.02.00", { kind: "running", handle: { index: 1 } }],
  ["reads as before leaves open whether it was updated", null, { kind: "failed" }],
])("a BMC that lost the task and %s", async (_what, before, value) => {
  bmc.task = null;
  nowMs += 6 * 60_000;
  const whole = await begin();
  const found = whole?.ok === true && whole.value.kind === "running" ? whole.value.handle : null;
  const present = z.object({ before: z.string() }).parse(found).before;
  expect(await look({ ...first, before: before ?? present })).toMatchObject({ ok: true, value });
});

it.each([
  [
    "is another one",
    { ok: true, sha256: "b".repeat(64) },
    true,
    /the SHA-256 of http\S+ is b{64}, not a{64}/,
  ],
  ["cannot be read", { ok: false, reason: "no route" }, false, /could not be read, .*: no route/],
] as const)("a file that %s is not written", async (_what, digest, final, message) => {
  const asked: string[] = [];
  const reading = clientForTests({
    date: () => new Date(nowMs),
    readDigest: async (url) => {
      asked.push(url);
      return digest;
    },
  }).client;
  const code = typeOf(reading, "idrac").steps.get("firmware.update");
  const begun = await code?.begin(call, permitted);
  await reading.close();
  expect(begun).toMatchObject({
    ok: true,
    value: { kind: "failed", message: expect.stringMatching(message) },
  });
  expect(begun?.ok === true && "final" in begun.value).toBe(final);
  expect(asked).toEqual([settingOf(idrac).url]);
  expect(ordered()).toEqual([]);
});

it("a file has the whole time of a call, whatever the reading before it took", async () => {
  let left = 0;
  const { client: reading, jump } = clientForTests({
    date: () => new Date(nowMs),
    readDigest: async (_url, { timeoutMs }) => {
      left = timeoutMs;
      return { ok: false, reason: "no route" };
    },
  });
  const order = bmc.fault;
  bmc.fault = (request, response) => {
    if (request.path === inventory) jump(20_000);
    return order?.(request, response) ?? false;
  };
  const code = typeOf(reading, "idrac").steps.get("firmware.update");
  await code?.begin(call, { ...permitted, timeoutMs: 45_000, prolong: async () => true });
  await reading.close();
  expect(left).toBe(40_000);
});

it.each(["nfs://images.example/a.exe", "https://u:hunter2@images.example/a.exe"])(
  "a file at %s of a plan of an earlier release is not tried, and its address not told",
  async (url) => {
    const settings = [{ ...settingOf(idrac), url }];
    const begun = await step()?.begin({ ...call, args: { settings } }, permitted);
    expect(begun).toMatchObject({ ok: true, value: { kind: "failed", final: true } });
    expect(JSON.stringify(begun)).not.toMatch(/hunter2|images\.example/);
    expect(ordered()).toEqual([]);
  },
);

const tasks = "/redfish/v1/TaskService/Tasks";

it("after an answer that was lost, a task that runs under any name is waited for, and another update is ordered once it is over", async () => {
  const task = (TaskState: string) => ({ "@odata.id": taskPath, Id: "1", Name: "Task 1", TaskState });
  bmc.replaced.set(tasks, { Members: [{ "@odata.id": taskPath }], "Members@odata.count": 1 });
  bmc.task = task("Running");
  const begun = await begin();
  expect(begun).toMatchObject({ ok: true, value: { kind: "running", handle: { other: true } } });
  const handle = begun?.ok === true && begun.value.kind === "running" ? begun.value.handle : null;
  expect(await look(handle)).toMatchObject({ ok: true, value: { kind: "running", handle: { other: true } } });
  expect(ordered()).toEqual([]);
  bmc.task = task("Exception");
  expect(await look(handle)).toMatchObject({ ok: true, value: { kind: "running", handle: { index: 0 } } });
  expect(ordered()).toHaveLength(1);
});
