// The queue: who passes at once, who waits for a place or a brake, and where a host continues.
import { describe, expect, it } from "vitest";
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { unresolved } from "@/server/domain/cleaning/sanitization/known-devices";
import { emptyCleaning } from "@/server/domain/lifecycle/context";
import type { HostView } from "@/server/domain/hosts/record/view";
import { decideOn, hostView, now } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  inventory,
  networkContext,
  planned,
  plan,
  reclamation,
} from "@/server/controller/testing/view-parts";

const limited = { policy: { ...defaultPolicy(), admission: { ...noLimits, atWork: 1 } } };
const minute = 60_000;
const network = networkContext("admin");
const waits = (changes: Parameters<typeof hostView>[1] = {}) =>
  hostView("WaitingForCleanup/Queued", { reclamation: reclamation(), site: limited, ...changes });
const signals = (...kinds: readonly ("admitted" | "look")[]) => kinds.map((kind) => ({ kind, payload: {} }));
const brake = (
  dimension: "model" | "driveFirmware" | "image" | "step",
  value: string,
  narrowedTo: NonNullable<HostView["brakes"]>[number]["narrowedTo"] = null,
): HostView["brakes"] => [
  { id: "b", dimension, value, message: `12 of 20 hosts with ${value} failed.`, narrowedTo },
];

describe("where the site sets a limit", () => {
  it("a host waits, and stands in the queue", () => {
    const { run, reclamation: row } = decideOn(waits());
    expect(run).toMatchObject({
      state: "WaitingForCleanup/Queued",
      waitReason: "waiting for admission",
      dueAtMs: null,
    });
    expect(run.context.cleaning).toMatchObject({ waitsForPlace: true, admitted: false });
    expect(row?.row).toMatchObject({ queuedAtMs: now, admittedAtMs: null });
  });

  it("it goes on when it is about to start, and its limit begins with its place", () => {
    const { run, reclamation: row, consumed } = decideOn(waits({ signals: signals("admitted") }));
    expect(run.state).not.toBe("WaitingForCleanup/Queued");
    expect(run.context.cleaning).toMatchObject({ waitsForPlace: false, admitted: true });
    expect(row?.row).toMatchObject({ admittedAtMs: now, limitAtMs: now + 60 * minute });
    expect(consumed).toEqual(["1"]);
  });

  it("a stopped one goes on where it was told to, not with a new plan", () => {
    const context = {
      cleaning: { ...emptyCleaning(), waitsForPlace: true, afterQueue: "WaitingForCleanup/HostCleanup" },
    };
    const { entered } = decideOn(
      waits({ reclamation: planned(), steps: plan(), context, signals: signals("admitted") }),
    );
    expect(entered[0]?.state).toBe("WaitingForCleanup/HostCleanup");
  });
});

describe("a brake", () => {
  it.each([
    ["model", "Dell Inc. PowerEdge R750"],
    ["image", "1.0.0"],
  ] as const)("on its %s holds a host back, also one that was told to begin", (dimension, value) => {
    const { run } = decideOn(
      waits({
        brakes: brake(dimension, value),
        agent: agent(),
        inventory: inventory(),
        signals: signals("admitted"),
      }),
    );
    expect(run).toMatchObject({
      state: "WaitingForCleanup/Queued",
      waitReason: `new starts are paused: 12 of 20 hosts with ${value} failed.`,
    });
    expect(run.context.cleaning.waitsForPlace).toBe(false);
  });

  it("on an image holds back who runs it or would boot it, and nobody who will boot another", () => {
    const braked = (image: string | null) =>
      decideOn(waits({ site: {}, brakes: brake("image", "1.0.0"), image, agent: agent() })).run.state;
    expect(braked("1.0.0")).toBe("WaitingForCleanup/Queued");
    expect(braked("1.1.0")).not.toBe("WaitingForCleanup/Queued");
  });

  it("holds back where there is no limit, too, and no host of another group", () => {
    expect(decideOn(waits({ site: {}, brakes: brake("model", "Dell Inc. PowerEdge R750") })).run.state).toBe(
      "WaitingForCleanup/Queued",
    );
    expect(decideOn(waits({ site: {}, brakes: brake("model", "Other") })).run.state).not.toBe(
      "WaitingForCleanup/Queued",
    );
  });

  it("kept on for a drive firmware holds back who has it or of whom it is not known, and lets the others begin", () => {
    const narrowed = brake("model", "Dell Inc. PowerEdge R750", [
      { dimension: "driveFirmware", value: "PM9A3 X" },
    ]);
    const state = (changes: Parameters<typeof hostView>[1]) =>
      decideOn(waits({ site: {}, brakes: narrowed, ...changes })).run.state;
    const known = inventory();
    const first = known.agent?.body.storage[0];
    if (known.agent === null || first === undefined) throw new Error("the fixture has no drive");
    const { agent: read } = known;
    const withDrives = (...storage: (typeof read.body.storage)[number][]) => ({
      inventory: { ...known, bmc: [], agent: { ...read, body: { ...read.body, storage } } },
    });
    const drive = { ...first, model: "PM9A3" };
    expect(state({ inventory: { ...known, bmc: [], agent: null } })).toBe("WaitingForCleanup/Queued");
    expect(state(withDrives({ ...drive, firmware: "X" }))).toBe("WaitingForCleanup/Queued");
    expect(state(withDrives({ ...drive, firmware: "Y" }))).not.toBe("WaitingForCleanup/Queued");
    expect(
      state(withDrives({ ...drive, firmware: "Y" }, { ...drive, serial: "2", firmware: undefined })),
    ).toBe("WaitingForCleanup/Queued");
    expect(state(withDrives())).toBe("WaitingForCleanup/Queued");
  });

  describe("kept on for a drive firmware, of a host whose agent named another one", () => {
    const known = inventory();
    if (known.agent === null) throw new Error("the fixture has no agent");
    const storage = known.agent.body.storage.map((drive) => ({ ...drive, firmware: "Y" }));
    const read = { ...known.agent, body: { ...known.agent.body, storage } };
    const place = {
      slot: "9",
      media: "nvme",
      transport: "nvme",
      capacityBytes: "1",
      removable: false,
    } as const;
    const begun = now - 10 * minute;
    const state = (changes: Parameters<typeof hostView>[1], found: Partial<HostView["inventory"]> = {}) =>
      decideOn(
        waits({
          site: {},
          brakes: brake("model", "Dell Inc. PowerEdge R750", [{ dimension: "driveFirmware", value: "X" }]),
          inventory: { ...known, agent: read, ...found },
          ...changes,
        }),
      ).run.state;
    const listed = (bootEpoch: number, collectedMs: number) => ({
      agent: { ...read, bootEpoch, collectedMs },
    });

    it.each([
      ["in its last boot, in this reclamation", {}, {}],
      ["before this reclamation, and that runs now", { agent: agent() }, listed(3, begun - 1)],
    ] as const)("%s, begins", (_, changes, found) => {
      expect(state(changes, found)).not.toBe("WaitingForCleanup/Queued");
    });

    it.each<readonly [string, Parameters<typeof hostView>[1], Partial<HostView["inventory"]>]>([
      ["in an earlier boot", { agent: agent() }, listed(2, begun + 1)],
      ["before this reclamation", {}, listed(3, begun - 1)],
      [
        "before this reclamation, and is silent",
        { agent: agent({ lastSeenMs: begun }) },
        listed(3, begun - 1),
      ],
      [
        "beside a drive that it cannot name",
        {},
        {
          agent: {
            ...read,
            body: { ...read.body, unnamed: [{ ...place, place: "p9", serial: "", model: "M" }] },
          },
        },
      ],
      ["and whose BMC was never read", {}, { bmc: null }],
      [
        "and whose BMC lists a drive that it cannot name",
        {},
        {
          bmcUnresolved: [
            unresolved({
              source: "bmc",
              place: "b9",
              slot: null,
              serial: null,
              model: null,
              reason: "it has no serial number",
            }),
          ],
        },
      ],
    ])("%s, is held", (_, changes, found) => {
      expect(state(changes, found)).toBe("WaitingForCleanup/Queued");
    });
  });

  it("on a step holds back a host that is to run it", () => {
    const view = waits({
      reclamation: planned(),
      steps: plan(),
      brakes: brake("step", "deploy.erase_nvme"),
      signals: signals("look"),
    });
    expect(decideOn(view).run.state).toBe("WaitingForCleanup/Queued");
    expect(
      decideOn({
        ...view,
        steps: plan({ erase_nvme: { status: "succeeded" } }),
        site: { ...view.site, policy: { ...defaultPolicy(), admission: noLimits } },
      }).run.state,
    ).not.toBe("WaitingForCleanup/Queued");
  });

  it("on a step of the plan sends a host back into the queue, with its plan", () => {
    const view = waits({
      site: {},
      acks: acksOf(network),
      context: { network, minEpoch: 3 },
      agent: agent(),
      inventory: inventory(),
      brakes: brake("step", "deploy.erase_nvme"),
    });
    const { run, steps, reclamation: row } = decideOn(view);
    expect(run.state).toBe("WaitingForCleanup/Queued");
    expect(run.context.cleaning).toMatchObject({
      admitted: false,
      afterQueue: "WaitingForCleanup/HostCleanup",
    });
    expect(row?.row.planMade).toBe(true);
    expect(steps.map(({ step }) => step)).toContain("erase_nvme");
  });

  it("of which a claim brought nothing is looked for, not taken for none", () => {
    const { run } = decideOn({ ...waits({ site: {} }), brakes: null });
    expect(run.state).toBe("WaitingForCleanup/Queued");
    expect(run.dueAtMs).toBeLessThan(now + 1_000);
  });
});

it("a host without a reclamation is nobody's to clean", () => {
  expect(decideOn(waits({ reclamation: null })).run.state).toBe("Failed/ManualInterventionRequired");
});
