// Unknown members of a stored document survive being read and written by this version.
import { expect, it } from "vitest";
import { defaultPolicy, policy, storedPolicy } from "@/server/domain/cleaning/policy/policy";
import { knownBootSettings } from "@/server/domain/hosts/boot-settings";
import { emptyContext, runContext, storedContext } from "@/server/domain/lifecycle/context";
import { signal } from "@/server/domain/lifecycle/signals";
import { keepUnknown, knownMembers } from "@/server/domain/stored";
import { z } from "zod";

const newer = {
  ...emptyContext(),
  fingerprints: { after: "boot" },
  boot: { epoch: 3, attempt: 1, orderedAt: null, bmcFailures: 0, retryAt: null, resetSeen: { counter: 7 } },
  cleaning: {
    ...emptyContext().cleaning,
    job: {
      stepRunId: "6f1f0bd4-3b8c-4a3c-9f0e-5d1d3d9d3a11",
      attempt: 1,
      handle: { task: "/t/1" },
      lookAt: null,
      restartEpoch: null,
      restarts: 0,
      stops: 0,
      failures: 0,
      serial: "S",
    },
  },
};

it("keeps unknown members of a context, at every depth, and through a change", () => {
  const read = storedContext.parse(structuredClone(newer));
  expect(read).toEqual(newer);
  expect(runContext.parse(newer)).not.toHaveProperty("fingerprints");
  const written = { ...read, minEpoch: 4, boot: read.boot === null ? null : { ...read.boot, attempt: 2 } };
  expect(storedContext.parse(JSON.parse(JSON.stringify(written)))).toMatchObject({
    fingerprints: { after: "boot" },
    minEpoch: 4,
    boot: { attempt: 2, resetSeen: { counter: 7 } },
  });
});

it("gives a host that was just enrolled an empty context, and refuses what contradicts this version", () => {
  expect(storedContext.parse({})).toEqual(emptyContext());
  expect(storedContext.safeParse({ ...newer, boot: 7 }).success).toBe(false);
  expect(storedContext.safeParse([]).success).toBe(false);
  expect(storedContext.safeParse(null).success).toBe(false);
});

it("keeps unknown members of a policy, fills in what an older one lacks, and refuses values it cannot follow", () => {
  const body = {
    ...defaultPolicy(),
    retention: { days: 1 },
    times: { ...defaultPolicy().times, resetMs: 5 },
  };
  expect(storedPolicy.parse(body)).toEqual(body);
  expect(storedPolicy.safeParse({ ...body, automatedClean: "perhaps" }).success).toBe(false);
  expect(policy.parse(defaultPolicy())).toEqual(defaultPolicy());
});

it("reads a signal that tells more than it knows, and none of a kind that it does not know", () => {
  expect(signal.parse({ kind: "agentRegistered", payload: { bootEpoch: 3, measured: true } })).toEqual({
    kind: "agentRegistered",
    payload: { bootEpoch: 3 },
  });
  expect(signal.safeParse({ kind: "agentMeasured", payload: {} }).success).toBe(false);
});

it("is what the parser made of it where that left nothing out", () => {
  const parsed = { a: 1, list: [{ b: 2 }] };
  expect(keepUnknown(parsed, { list: [{ b: 2 }], a: 1 })).toBe(parsed);
  expect(keepUnknown(parsed, { list: [{ b: 2, c: 3 }], a: 1 })).toEqual({ a: 1, list: [{ b: 2, c: 3 }] });
});

it("reads what a schema refuses from an agent without the members that a newer version stored, at every depth", () => {
  const schema = z.strictObject({ drives: z.array(z.strictObject({ serial: z.string() })).max(2) });
  const stored = { drives: [{ serial: "A" }, { serial: "B", zoned: { size: 1 } }], health: "OK" };
  const before = structuredClone(stored);
  expect(schema.safeParse(stored).success).toBe(false);
  expect(knownMembers(schema).parse(stored)).toEqual({ drives: [{ serial: "A" }, { serial: "B" }] });
  expect(stored).toEqual(before);
  for (const wrong of [
    null,
    { drives: [{ zoned: 1 }] },
    { drives: [{ serial: 7, zoned: 1 }] },
    { health: "OK" },
  ])
    expect(knownMembers(schema).safeParse(wrong).success).toBe(false);
});

it("keeps a boot device and mode that only the version beside this one knows, and shows none", () => {
  const settings = {
    devices: ["pxe", "wanboot"],
    device: "wanboot",
    persistent: true,
    mode: "uefi2",
    secureBoot: true,
    slot: 3,
  };
  const read = storedContext.parse({ ...newer, bootSettings: settings });
  expect(read.bootSettings).toEqual(settings);
  expect(knownBootSettings(settings)).toBeNull();
  expect(knownBootSettings({ ...settings, device: "pxe", mode: "uefi" })).toEqual({
    devices: ["pxe"],
    device: "pxe",
    persistent: true,
    mode: "uefi",
    secureBoot: true,
  });
  expect([undefined, null, 7, {}].map(knownBootSettings)).toEqual([null, null, null, null]);
});
