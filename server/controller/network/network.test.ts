// A network controller that cannot be asked, or stays silent: the host stops with its cause, and a retry continues.
import { describe, expect, it } from "vitest";
import type { State } from "@/server/domain/lifecycle/states";
import {
  by,
  decideOn,
  effectKindsOf,
  hostView,
  instanceId,
  minute,
  now,
  path,
  tenantId,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  instance,
  inventory,
  networkContext,
  reclamation,
} from "@/server/controller/testing/view-parts";
import { effect } from "@/server/controller/testing/effect-views";
import { read, reading, watch } from "@/server/controller/testing/hand-over-look";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const iso = (ms: number): string => new Date(ms).toISOString();
const asked = (changes: Partial<ReturnType<typeof networkContext>>) =>
  networkContext("admin", { askedAt: null, ...changes });
const answered = (kind: string, message: string) => [
  effect("network", "failed", { error: { kind, message } }),
];
const base = {
  reclamation: reclamation({ kind: "onboarding", instanceId: null }),
  agent: agent(),
  inventory: inventory(),
} satisfies ViewChanges;
const at = (state: State, changes: ViewChanges) => decideOn(hostView(state, { ...base, ...changes }));

it("asks for the tenant's own network as the tenant named it", () => {
  const network = { vpcId: tenantId, interfaces: [{ vpcPrefixId: "p1", isPhysical: true }] };
  const assign = { kind: "assign" as const, payload: { by, instanceId } };
  const asks = decideOn(
    hostView("Ready", {
      instance: instance({ network }),
      signals: [assign],
      effects: [read(reading)],
      watch,
    }),
  );
  expect(asks.effects).toMatchObject([
    { kind: "network", request: { network: "tenant", attachment: network } },
  ]);
});

it("asks again for the tenant's network where it was requested without what the tenant named", () => {
  const network = { vpcId: tenantId, interfaces: [{ isPhysical: true, vpcPrefixId: "p1" }] };
  const before = networkContext("tenant");
  const after = (attachment: object) =>
    decideOn(
      hostView("Assigned/WaitingForNetworkConfig", {
        instance: instance({ network }),
        context: { network: { ...before, wanted: { ...before.wanted, ...attachment } } },
      }),
    ).effects;
  expect(after({})).toMatchObject([
    {
      kind: "network",
      request: { network: "tenant", version: before.wanted.version + 1, attachment: network },
    },
  ]);
  const same = { interfaces: [{ vpcPrefixId: "p1", isPhysical: true }], vpcId: tenantId };
  expect(after({ attachment: same })).toEqual([]);
});

describe("a network controller", () => {
  it("that the site does not have fails the host at once, in its own words", () => {
    const none = at("WaitingForCleanup/Init", {
      context: { network: asked({ failures: 0 }) },
      effects: answered("notConfigured", "the site has no network controller"),
    });
    expect(path(none)).toEqual(["Failed/NetworkNotConfigured"]);
    expect(none.run.lastError).toBe(
      "The admin network could not be requested, because the site has no network controller.",
    );
  });

  it.each([
    ["unsupported", "PUT /hosts/h/network was answered 404"],
    ["refused", "PUT /hosts/h/network was answered 401"],
  ])("that does not do it (%s) is not asked for ever", (kind, message) => {
    const twice = at("WaitingForCleanup/Init", {
      context: { network: asked({ failures: 1 }) },
      effects: answered(kind, message),
    });
    expect([path(twice), twice.run.dueAtMs]).toEqual([[], now + minute]);
    const thrice = at("WaitingForCleanup/Init", {
      context: { network: asked({ failures: 2 }) },
      effects: answered(kind, message),
    });
    expect(path(thrice)).toEqual(["Failed/NetworkRefused"]);
    expect(thrice.run.lastError).toBe(
      `The admin network could not be requested, because the site's network controller rejected the request: ${message}.`,
    );
  });

  it.each([
    ["unreachable", "no answer"],
    ["failed", "PUT was answered 500"],
  ])("that fails (%s) is asked until the time of the state is over", (kind, message) => {
    expect(
      path(
        at("WaitingForCleanup/Init", {
          context: { network: asked({ failures: 28 }) },
          effects: answered(kind, message),
        }),
      ),
    ).toEqual([]);
    const over = at("WaitingForCleanup/Init", {
      context: { network: asked({ failures: 29 }) },
      effects: answered(kind, message),
    });
    expect(path(over)).toEqual(["Failed/NetworkUnreachable"]);
    expect(over.run.lastError).toBe(
      `The network controller failed 30 times to take the admin network: ${message}.`,
    );
  });

  it("that takes the request and says nothing is waited for as long as a state may take", () => {
    const silent = (ms: number) =>
      at("WaitingForCleanup/Init", {
        context: { network: networkContext("admin", { askedAt: iso(now - ms) }) },
      });
    expect([path(silent(30 * minute - 1)), silent(30 * minute - 1).run.dueAtMs]).toEqual([[], now + 50]);
    expect(path(silent(30 * minute))).toEqual(["Failed/NetworkTimeout"]);
    expect(silent(30 * minute).run.lastError).toMatch(
      /^The network controller accepted the admin network 30 min ago, and dpu0.* never acknowledged it\.$/,
    );
  });

  it("is asked anew by a retry, in the same version", () => {
    const failed = at("WaitingForCleanup/Init", {
      context: { network: networkContext("admin", { askedAt: iso(now - 30 * minute) }) },
    });
    const stopped = failed.reclamation?.row;
    const retried = at("Failed/NetworkTimeout", {
      ...(stopped === undefined ? {} : { reclamation: stopped }),
      context: failed.run.context,
      signals: [{ kind: "retry", payload: { by } }],
    });
    expect(path(retried).at(-1)).toBe("WaitingForCleanup/Init");
    expect(retried.effects).toMatchObject([{ kind: "network", request: { network: "admin", version: 2 } }]);
    const waits = at("WaitingForCleanup/Init", {
      context: retried.run.context,
      effects: [effect("network", "done", {})],
    });
    expect([path(waits), waits.run.dueAtMs]).toEqual([[], now + 30 * minute]);
    const network = retried.run.context.network;
    expect(
      path(
        at("WaitingForCleanup/Init", {
          context: retried.run.context,
          acks: network === null ? [] : acksOf(network),
        }),
      ),
    ).toEqual(["WaitingForCleanup/HostCleanup"]);
  });

  it("is asked again at once when a person says so, with its whole time; a request under way is enough", () => {
    const ask = [{ kind: "askNetwork" as const, payload: { by } }];
    for (const state of ["WaitingForCleanup/Init", "Assigned/WaitingForNetworkConfig"] as const) {
      const network = state === "WaitingForCleanup/Init" ? ("admin" as const) : ("tenant" as const);
      const asks = (changes: Parameters<typeof networkContext>[1]) =>
        at(state, {
          ...(network === "tenant" ? { reclamation: null, instance: instance() } : {}),
          context: { network: networkContext(network, changes) },
          signals: ask,
        });
      const silent = asks({ askedAt: iso(now - 29 * minute) });
      expect(silent.effects).toMatchObject([{ kind: "network", request: { network, version: 2 } }]);
      expect(silent.run.context.network).toMatchObject({ askedAt: null, retryAt: null, failures: 0 });
      const failing = asks({ askedAt: null, retryAt: iso(now + minute), failures: 2 });
      expect(failing.effects).toMatchObject([{ kind: "network", request: { network, version: 2 } }]);
      expect(asks({ askedAt: null }).effects.filter(({ kind }) => kind === "network")).toEqual([]);
      expect([silent, failing].flatMap(({ refused }) => refused)).toEqual([]);
    }
  });

  it("is not asked again of a host that waits for no network", () => {
    const refused = at("Ready", { signals: [{ kind: "askNetwork", payload: { by } }] });
    expect(refused.refused).toMatchObject([{ intent: "askNetwork", reason: "not possible in Ready" }]);
  });

  it("that a tenant waits for is asked on: the tenant may give the host up", () => {
    const tenant = networkContext("tenant", { askedAt: null, failures: 99 });
    expect(
      path(
        at("Assigned/WaitingForNetworkConfig", {
          reclamation: null,
          instance: instance(),
          context: { network: tenant },
          effects: answered("unsupported", "no controller"),
        }),
      ),
    ).toEqual([]);
    expect(
      path(
        at("Assigned/WaitingForNetworkConfig", {
          reclamation: null,
          instance: instance(),
          context: { network: networkContext("tenant", { askedAt: iso(now - 99 * minute) }) },
        }),
      ),
    ).toEqual([]);
  });

  it("that a tenant waits for says what is wrong, and that the release of the instance ends the wait; it does", () => {
    const assigning = (changes: ViewChanges) =>
      at("Assigned/WaitingForNetworkConfig", { reclamation: null, instance: instance(), ...changes });
    const refuses = assigning({
      context: { network: networkContext("tenant", { askedAt: null, failures: 2 }) },
      effects: answered("unsupported", "no controller"),
    });
    expect(refuses.run.waitReason).toBe(
      "the network controller failed 3 times: no controller. Reclaim retries until it succeeds; to give up the host, release its instance",
    );
    const silent = assigning({
      context: { network: networkContext("tenant", { askedAt: iso(now - 30 * minute) }) },
    });
    expect(silent.run.waitReason).toMatch(
      /, 30 min after the network controller accepted the request; check those interfaces, or release the instance to give up the host$/,
    );
    expect([refuses.instanceHistory, silent.instanceHistory]).toMatchObject([
      [{ status: "Provisioning", message: expect.stringMatching(/failed 3 times.*release the instance/) }],
      [
        {
          status: "Provisioning",
          message: expect.stringMatching(/not every interface.*release the instance/),
        },
      ],
    ]);
    // A request that was accepted and perhaps lost is repeated with the same version; the tenant is told each time.
    expect(silent.effects).toMatchObject([{ kind: "network", request: { network: "tenant", version: 2 } }]);
    expect(
      assigning({
        context: { network: networkContext("tenant", { askedAt: null, failures: 3 }) },
        effects: answered("unsupported", "no controller"),
      }).instanceHistory,
    ).toEqual([]);
    const early = assigning({
      context: { network: networkContext("tenant", { askedAt: iso(now - minute) }) },
    });
    expect([early.run.waitReason, early.run.dueAtMs]).toEqual([
      expect.not.stringContaining("release"),
      now + 29 * minute,
    ]);
    for (const waits of [refuses, silent]) {
      const given = assigning({
        instance: instance({ releaseRequestedMs: now }),
        context: waits.run.context,
        run: { lastError: waits.run.lastError },
      });
      expect([path(given), effectKindsOf(given)]).toEqual([
        ["Assigned/BootingWithDiscoveryImage"],
        ["bootAgent"],
      ]);
    }
  });

  it("that a release waits for stops it with the instance on the host; overdue, the quarantine is asked for without end and without a new failure", () => {
    const given = instance({ releaseRequestedMs: now - minute });
    const stops = at("Assigned/WaitingForNetworkReconfig", {
      reclamation: reclamation(),
      instance: given,
      context: { network: asked({ failures: 2 }) },
      effects: answered("unsupported", "no controller"),
    });
    expect([path(stops), stops.endInstance]).toEqual([["Failed/NetworkRefused"], null]);
    const overdue = {
      reclamation: reclamation({
        stoppedCause: "NetworkRefused",
        stoppedIn: "Assigned/WaitingForNetworkReconfig",
      }),
      instance: instance({ releaseRequestedMs: now - 60 * minute }),
    };
    const quarantine = at("Failed/NetworkRefused", {
      ...overdue,
      context: { network: networkContext("quarantine", { askedAt: null, failures: 2 }) },
      effects: answered("unsupported", "no controller"),
    });
    expect([path(quarantine), quarantine.endInstance, quarantine.run.dueAtMs]).toEqual([
      [],
      null,
      now + minute,
    ]);
    expect(
      effectKindsOf(at("Failed/NetworkRefused", { ...overdue, context: quarantine.run.context })),
    ).toEqual(["network"]);
  });
});
