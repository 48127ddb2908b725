// Enroll and Verifying: every outcome.
import { otherByteOrder } from "@/server/domain/hosts/inventory/system-uuid";
import { describe, expect, it } from "vitest";
import { allDrives, chassisSerial, systemUuid } from "@/server/controller/testing/hardware";
import {
  by,
  decideOn,
  effectKindsOf,
  hostView,
  minute,
  now,
  path,
} from "@/server/controller/testing/host-view";
import { effect, failedEffect } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";

describe("Enroll", () => {
  it("waits for a person", () => {
    const decision = decideOn(hostView("Enroll"));
    expect(path(decision)).toEqual([]);
    expect(decision.run.dueAtMs).toBeNull();
    expect(decision.run.waitReason).toBe("waiting for manage");
  });

  it("reads the BMC when manage is asked for", () => {
    const decision = decideOn(
      hostView("Enroll", { signals: [{ kind: "manage", payload: { by } }], run: { lastError: "before" } }),
    );
    expect(path(decision)).toEqual(["Verifying"]);
    expect(decision.effects).toMatchObject([{ kind: "verify", request: { retryCredential: true } }]);
    expect(decision.run.lastError).toBeNull();
  });

  it.each(["provide", "retry", "restart"] as const)("refuses %s, and says why", (kind) => {
    const decision = decideOn(hostView("Enroll", { signals: [{ kind, payload: { by } }] }));
    expect(path(decision)).toEqual([]);
    expect(decision.consumed).toEqual(["1"]);
    expect(decision.refused).toEqual([
      { intent: kind, reason: "not possible in Enroll", requestId: "req-1" },
    ]);
  });
});

describe("a host that is to be provided from its enrolment on", () => {
  const provide = { kind: "provide", payload: { by } } as const;
  const left = (decision: ReturnType<typeof decideOn>) => [decision.consumed, decision.refused];

  it("keeps that in mind while its BMC is read", () => {
    const begun = decideOn(hostView("Enroll", { signals: [{ kind: "manage", payload: { by } }, provide] }));
    expect([path(begun), ...left(begun)]).toEqual([["Verifying"], ["1"], []]);
    const waits = decideOn(hostView("Verifying", { signals: [provide] }));
    expect([path(waits), ...left(waits)]).toEqual([[], [], []]);
  });

  it("is provided as soon as it is Manageable", () => {
    const decision = decideOn(hostView("Manageable", { signals: [provide] }));
    expect(path(decision)[0]).toBe("WaitingForCleanup/Queued");
  });

  it("is not when its BMC could not be read", () => {
    const decision = decideOn(
      hostView("Verifying", {
        signals: [provide],
        effects: [effect("verify", "failed", { error: { kind: "refused", message: "401 Unauthorized" } })],
      }),
    );
    expect([path(decision), decision.consumed]).toEqual([["Enroll"], ["1"]]);
    expect(decision.refused).toMatchObject([{ intent: "provide" }]);
  });
});

describe("Verifying", () => {
  const system = {
    power: "on",
    bootOverride: { source: "none", enabled: false },
    serial: chassisSerial,
    uuid: systemUuid.toUpperCase(),
    manufacturer: "Dell Inc.",
    model: "R760",
  };
  const value = {
    links: { system: "/s" },
    system,
    storage: allDrives,
    macs: ["00:11:22:33:44:55"],
    firmware: [],
    leftOut: [],
  };
  const read = (changes: object) => effect("verify", "done", { value: { ...value, ...changes } });

  it("keeps what it read, and the host is Manageable", () => {
    const decision = decideOn(hostView("Verifying", { effects: [read({})] }));
    expect(path(decision)).toEqual(["Manageable"]);
    expect(decision.host).toMatchObject({ manufacturer: "Dell Inc.", powerState: "on", storage: allDrives });
    expect(decision.readEffects).toEqual(["effect-verify"]);
  });

  it.each([[{}], [{ boot: null }]])(
    "knows nothing of how it boots where its BMC says nothing: %j",
    (told) => {
      const bootSettings = {
        devices: null,
        device: "pxe",
        persistent: true,
        mode: "uefi",
        secureBoot: true,
      } as const;
      const decision = decideOn(hostView("Verifying", { context: { bootSettings }, effects: [read(told)] }));
      expect(path(decision)).toEqual(["Manageable"]);
      expect(decision.run.context.bootSettings).toBeUndefined();
    },
  );

  it.each([
    [
      "another serial",
      read({ system: { ...system, serial: "OTHER" } }),
      /reports serial OTHER, but the host was enrolled as CHASSIS1/,
    ],
    ["another system", read({ system: { ...system, uuid: "other" } }), /reports system UUID other/],
    [
      "a BMC that refuses",
      effect("verify", "failed", { error: { kind: "refused", message: "401 Unauthorized" } }),
      /401 Unauthorized/,
    ],
  ])("goes back to Enroll for %s", (_what, found, message) => {
    const decision = decideOn(hostView("Verifying", { effects: [found] }));
    expect(path(decision)).toEqual(["Enroll"]);
    expect(decision.run.lastError).toMatch(message);
    expect(decision.host).toBeNull();
  });

  it("reads again, for as long as Verifying may take, what a BMC answered with an error", () => {
    const failed = failedEffect("verify", "GET /redfish/v1/Systems/1/Storage was answered 500");
    const waits = decideOn(hostView("Verifying", { effects: [failed] }));
    expect([path(waits), waits.host, waits.run.dueAtMs]).toEqual([[], null, now + 30_000]);
    expect(waits.run.lastError).toMatch(/Storage was answered 500/);
    expect(
      effectKindsOf(decideOn(hostView("Verifying", { run: { lastError: waits.run.lastError } }))),
    ).toEqual(["verify"]);
    expect(effectKindsOf(decideOn(hostView("Verifying")))).toEqual([]);
    const late = decideOn(
      hostView("Verifying", { effects: [failed], run: { stateSinceMs: now - 10 * minute } }),
    );
    expect([path(late), late.host]).toEqual([["Enroll"], null]);
    expect(late.run.lastError).toMatch(/Storage was answered 500/);
  });

  it.each([
    ["never sent", effect("verify", "written")],
    ["of unknown outcome", effect("verify", "unknown", {})],
  ])("reads again what was %s: reading harms nothing", (_what, found) => {
    const decision = decideOn(hostView("Verifying", { effects: [found] }));
    expect(path(decision)).toEqual([]);
    expect(effectKindsOf(decision)).toEqual(["verify"]);
  });

  describe("of a host that was enrolled without serial and system UUID", () => {
    const unknown = { serial: null, systemUuid: null, networkInterfaces: [] };
    const nobody = {
      serialOf: null,
      systemUuidOf: null,
      eraseUntilMs: null,
      ports: [],
      portsOfOthers: [],
      systemPath: null,
      hardwareTypeOpen: false,
    };
    const verify = (told: Partial<typeof nobody> | object, changes: object = {}, more: ViewChanges = {}) =>
      decideOn(
        hostView("Verifying", {
          host: unknown,
          told: { ...nobody, ...told },
          effects: [read(changes)],
          ...more,
        }),
      );

    it("learns both; every NIC of a host without ports must acknowledge a network", () => {
      const decision = verify({});
      expect(path(decision)).toEqual(["Manageable"]);
      expect(decision.host?.learned).toEqual({
        serial: chassisSerial,
        systemUuid,
        networkInterfaces: ["00:11:22:33:44:55"],
        hardwareType: null,
      });
      expect(decision.run).toMatchObject({ erasing: false, lastError: null });
    });

    it.each([
      ["Dell Inc.", "idrac"],
      ["Lenovo", "xclarity"],
      ["Supermicro", "redfish"],
    ])("of %s learns its hardware type, where nobody gave one", (manufacturer, type) =>
      expect(
        verify({ hardwareTypeOpen: true }, { system: { ...system, manufacturer } }).host?.learned
          ?.hardwareType,
      ).toBe(type),
    );

    it.each([
      [
        "serial",
        { expectedSerial: "OTHER" },
        "the BMC reports serial CHASSIS1, but serial OTHER was expected",
      ],
      [
        "system",
        { expectedSystemUuid: "00000000-0000-4000-8000-000000000000" },
        `the BMC reports system UUID ${systemUuid}, but system UUID 00000000-0000-4000-8000-000000000000 was expected`,
      ],
    ])("goes back to Enroll when the %s is another than somebody said", (_what, expected, message) => {
      const refused = [["Enroll"], null, message];
      const decision = verify({}, {}, { host: { ...unknown, ...expected } });
      expect([path(decision), decision.host, decision.run.lastError]).toEqual(refused);
      // Also if a server of an earlier release, which compares nothing, learned it meanwhile.
      const known = verify({}, {}, { host: expected });
      expect([path(known), known.host, known.run.lastError]).toEqual(refused);
    });

    it("is the one that somebody said", () =>
      expect(
        path(
          verify(
            {},
            {},
            {
              host: {
                ...unknown,
                expectedSerial: chassisSerial,
                expectedSystemUuid: systemUuid.toUpperCase(),
              },
            },
          ),
        ),
      ).toEqual(["Manageable"]));

    it("is known by its system UUID in either byte order, which a firmware update may change", () => {
      const turned = { system: { ...system, uuid: otherByteOrder(systemUuid).toUpperCase() } };
      expect(path(verify({}, turned, { host: {} }))).toEqual(["Manageable"]);
      const given = { host: { ...unknown, expectedSystemUuid: systemUuid } };
      expect(path(verify({}, turned, given))).toEqual(["Manageable"]);
    });

    it("is known by what a person confirmed that its BMC calls it, and by nothing else", () => {
      const other = "11f0c0de-6a3a-4b0e-9a53-0a64b9a2f009";
      const renamed = { system: { ...system, serial: "BOARD-2", uuid: other } };
      const host = { confirmed: { serials: ["BOARD-2"], systemUuids: [otherByteOrder(other)] } };
      expect(path(verify({}, renamed, { host }))).toEqual(["Manageable"]);
      const expected = { ...host, expectedSerial: chassisSerial, expectedSystemUuid: systemUuid };
      expect(path(verify({}, renamed, { host: expected }))).toEqual(["Manageable"]);
      for (const confirmed of [
        { ...host.confirmed, serials: [] },
        { ...host.confirmed, systemUuids: [] },
      ])
        expect(path(verify({}, renamed, { host: { confirmed } }))).toEqual(["Enroll"]);
    });

    it("is known by its serial alone, where a server of 0.2.0 took a UUID that many boards have", () => {
      const host = { systemUuid: "03000200-0400-0500-0006-000700080009" };
      const none = { system: { ...system, uuid: "" } };
      expect(path(verify({}, none, { host }))).toEqual(["Manageable"]);
      const nameless = { host: { ...host, serial: "Default string" } };
      expect(path(verify({}, { system: { ...none.system, serial: "" } }, nameless))).toEqual(["Enroll"]);
    });

    it("takes the ports that people gave it as its interfaces", () => {
      expect(verify({ ports: ["00:00:00:00:00:01"] }).host?.learned?.networkInterfaces).toEqual([
        "00:00:00:00:00:01",
      ]);
    });

    it("is kept from a restart by an erase that may still run in that chassis", () => {
      const decision = verify({ eraseUntilMs: now + minute });
      expect(path(decision)).toEqual(["Manageable"]);
      expect(decision.run).toMatchObject({
        erasing: true,
        context: { eraseUntil: new Date(now + minute).toISOString() },
      });
    });

    it("does nothing more before its debt was seen: what was asked of it is left to the next decision", () => {
      const decision = verify({}, {}, { signals: [{ kind: "provide", payload: { by } }] });
      expect(path(decision)).toEqual(["Manageable"]);
      expect(decision).toMatchObject({
        consumed: [],
        refused: [],
        reclamation: null,
        run: { dueAtMs: now + 50 },
      });
    });

    it.each([
      [
        "the serial of another host",
        { serialOf: "r1-u4" },
        {},
        /serial CHASSIS1, which belongs to host r1-u4/,
      ],
      ["the system UUID of another host", { systemUuidOf: "r1-u5" }, {}, /which belongs to host r1-u5/],
      ["no serial", {}, { system: { ...system, serial: " " } }, /reports no serial/],
      [
        "no UUID",
        {},
        { system: { ...system, uuid: "To be filled by O.E.M." } },
        /reports no system UUID, or one that many boards have/,
      ],
      [
        "a blank UUID",
        {},
        { system: { ...system, uuid: "00000000-0000-0000-0000-000000000000" } },
        /reports no system UUID/,
      ],
      [
        "another system than the one that was named",
        { systemPath: "/redfish/v1/Systems/2" },
        {},
        /the BMC's system is \/s, but the host was enrolled as \/redfish\/v1\/Systems\/2/,
      ],
      ["no NIC, where no port is known either", {}, { macs: [] }, /no network interface is known/],
    ])("goes back to Enroll for %s", (_what, told, changes, message) => {
      const decision = verify(told, changes);
      expect(path(decision)).toEqual(["Enroll"]);
      expect(decision.run.lastError).toMatch(message);
      expect(decision).toMatchObject({ host: null, run: { erasing: false } });
    });

    it("does not take an old reading, whose identity nobody looked up", () => {
      const decision = decideOn(
        hostView("Enroll", {
          host: unknown,
          effects: [read({})],
          signals: [{ kind: "manage", payload: { by } }],
        }),
      );
      expect(path(decision)).toEqual(["Verifying"]);
      expect(decision).toMatchObject({ host: null, readEffects: [] });
    });
  });

  it("waits while the read is under way", () => {
    expect(decideOn(hostView("Verifying")).effects).toEqual([]);
    expect(
      decideOn(hostView("Verifying", { effects: [{ ...effect("verify", "permitted"), generation: "7" }] }))
        .effects,
    ).toEqual([]);
  });
});
