// What delayed a release stays its first cause, whatever gives up later: the release's time, a step's, or an agent's.
import { describe, expect, it } from "vitest";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import type { RunContext } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import type { Decision } from "@/server/controller/host/decision";
import { decideOn, hostView, minute, now, path } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  instance,
  inventory,
  networkContext,
  reclamation,
} from "@/server/controller/testing/view-parts";
import { effect, systemRead } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const iso = (ms: number): string => new Date(ms).toISOString();
const overdue = {
  instance: instance({ releaseRequestedMs: now - 31 * minute }),
  reclamation: reclamation(),
  inventory: inventory(),
} satisfies ViewChanges;
const inTime = { ...overdue, instance: instance({ releaseRequestedMs: now - 29 * minute }) };

/** The next decision after this one, once every port has acknowledged the quarantine. */
function quarantined(state: State, { run }: Decision): Decision {
  const { network } = run.context;
  if (network === null) throw new Error("no network was asked for");
  return decideOn(
    hostView(state, {
      ...overdue,
      run: { lastError: run.lastError },
      context: { ...run.context, network: { ...network, askedAt: null } },
      acks: acksOf(network),
      effects: [effect("network", "done")],
    }),
  );
}

/** The causes that the host stopped for, by key. */
const stoppedFor = ({ entered }: Decision) => entered.at(-1)?.causes?.map(({ key }) => key);

function overdueIn(state: State, context: Partial<RunContext>, lastError: string | null = null): Decision {
  const asks = decideOn(hostView(state, { ...overdue, run: { lastError }, context }));
  expect(asks.effects).toMatchObject([{ kind: "network", request: { network: "quarantine" } }]);
  return quarantined(state, asks);
}

const trouble = (cause: Cause) => ({ trouble: [cause] });
const silentBmc: Cause = { key: "bmcSilent", device: { kind: "bmc" }, facts: { tries: 3 }, raw: "no answer" };
const admin = networkContext("admin");

describe("a release that runs out of time", () => {
  it("because the BMC is silent says so first", () => {
    const boot = { epoch: 3, attempt: 1, orderedAt: null, bmcFailures: 3, retryAt: iso(now + minute) };
    const over = overdueIn(
      "Assigned/BootingWithDiscoveryImage",
      { network: admin, boot, ...trouble(silentBmc) },
      "no answer",
    );
    expect(stoppedFor(over)).toEqual(["bmcSilent", "releaseOverdue"]);
    expect(over.run.lastError).toMatch(/^The BMC does not respond.*\nThe release did not finish/);
  });

  it("because no agent registered says so first", () => {
    const boot = { epoch: 3, attempt: 1, orderedAt: iso(now - 30 * minute), bmcFailures: 0, retryAt: null };
    const over = overdueIn("Assigned/BootingWithDiscoveryImage", { network: networkContext("tenant"), boot });
    expect(stoppedFor(over)).toEqual(["agentNeverRegistered", "releaseOverdue"]);
    expect(over.run.lastError).toMatch(/^The BMC restarted the host 1 time, and no agent registered/);
  });

  it("right after a boot was ordered does not say that no agent registered", () => {
    const boot = { epoch: 3, attempt: 1, orderedAt: iso(now - minute), bmcFailures: 0, retryAt: null };
    const state = "Assigned/BootingWithDiscoveryImage";
    const over = overdueIn(state, { network: networkContext("tenant"), boot });
    expect(stoppedFor(over)).toEqual(["releaseOverdue"]);
    const again = overdueIn(state, { network: networkContext("tenant"), boot: { ...boot, attempt: 2 } });
    expect(stoppedFor(again)).toEqual(["agentNeverRegistered", "releaseOverdue"]);
    expect(again.run.lastError).toMatch(/^The BMC restarted the host 1 time, and no agent registered/);
  });

  it("while the next boot is being ordered says that no agent registered in those before", () => {
    const boot = { epoch: 4, attempt: 2, orderedAt: null, bmcFailures: 0, retryAt: null };
    const over = overdueIn("Assigned/BootingWithDiscoveryImage", { network: networkContext("tenant"), boot });
    expect(stoppedFor(over)).toEqual(["agentNeverRegistered", "releaseOverdue"]);
    expect(over.run.lastError).toMatch(/^The BMC restarted the host 1 time, and no agent registered/);
  });

  it("while a restart that could not be confirmed is sent again says that first", () => {
    const mark = "2026-10-31T12:00:00Z";
    const boot = { epoch: 3, attempt: 1, orderedAt: null, bmcFailures: 0, retryAt: null };
    const again = decideOn(
      hostView("Assigned/BootingWithDiscoveryImage", {
        ...inTime,
        run: { lastError: "POST Reset was answered 204, but LastResetTime is as before" },
        context: { network: networkContext("tenant"), boot: { ...boot, lookUp: true, resetMark: mark } },
        effects: [effect("lookBoot", "done", systemRead(false, "on", mark))],
      }),
    );
    expect(again.effects).toMatchObject([{ kind: "bootAgent" }]);
    const over = overdueIn("Assigned/BootingWithDiscoveryImage", again.run.context, again.run.lastError);
    expect(stoppedFor(over)).toEqual(["resetNotConfirmed", "releaseOverdue"]);
    expect(over.run.lastError).toMatch(
      /^The BMC accepted a restart that cannot be confirmed: POST Reset was answered 204, .*\nThe release/,
    );
  });

  describe("right after the host went on by itself because the BMC responds again", () => {
    const ignored: Cause = {
      key: "bmcIgnored",
      device: { kind: "bmc" },
      facts: { tries: 10 },
      raw: "ignored",
    };
    const wentOn = decideOn(
      hostView("Failed/BmcUnreachable", {
        ...inTime,
        run: { lastError: "what it stopped for" },
        context: { network: admin, failedIn: "Assigned/BootingWithDiscoveryImage", ...trouble(ignored) },
        effects: [effect("readSystem", "done", systemRead(false))],
      }),
    );

    it("keeps the cause that it stopped for", () => {
      expect(path(wentOn)).toEqual(["Assigned/BootingWithDiscoveryImage"]);
      expect(wentOn.effects).toMatchObject([{ kind: "bootAgent" }]);
      const over = overdueIn("Assigned/BootingWithDiscoveryImage", wentOn.run.context, wentOn.run.lastError);
      expect(stoppedFor(over)).toEqual(["bmcIgnored", "releaseOverdue"]);
    });

    it("keeps nothing of it once an agent is there", () => {
      const registered = decideOn(
        hostView("Assigned/BootingWithDiscoveryImage", {
          ...inTime,
          run: { lastError: wentOn.run.lastError },
          context: { ...wentOn.run.context, boot: null, minEpoch: 3 },
          agent: agent(),
        }),
      );
      expect(path(registered)[0]).toBe("Assigned/SwitchToAdminNetwork");
      expect(registered.run.lastError).toBeNull();
    });

    it("keeps nothing of it where no release waits", () => {
      const back = decideOn(
        hostView("Failed/BmcUnreachable", {
          reclamation: reclamation(),
          inventory: inventory(),
          run: { lastError: "what it stopped for" },
          context: { network: admin, failedIn: "BomValidating/BootingAgent", ...trouble(ignored) },
          acks: acksOf(admin),
          effects: [effect("readSystem", "done", systemRead(false))],
        }),
      );
      expect(back.run.lastError).toBeNull();
    });
  });

  it("because the network was never acknowledged names the interfaces first", () => {
    const over = overdueIn("Assigned/WaitingForNetworkReconfig", {
      network: networkContext("admin", { askedAt: iso(now - 29 * minute) }),
    });
    expect(stoppedFor(over)).toEqual(["networkSilent", "releaseOverdue"]);
    expect(over.run.lastError).toMatch(
      /^The network controller accepted the admin network 29 min ago, and \S+/,
    );
  });

  it("because the network controller failed says so first, though it took the quarantine", () => {
    const failing: Cause = {
      key: "networkFails",
      device: { kind: "network" },
      facts: { network: "admin", tries: 9 },
      raw: "PUT was answered 503",
    };
    const over = overdueIn(
      "Assigned/WaitingForNetworkReconfig",
      { network: networkContext("admin", { askedAt: null }), ...trouble(failing) },
      "PUT was answered 503",
    );
    expect(stoppedFor(over)).toEqual(["networkFails", "releaseOverdue"]);
  });

  it.each<[State, Cause]>([
    ["Failed/BmcUnreachable", silentBmc],
    ["Failed/ManualInterventionRequired", { key: "agentNeverRegistered", facts: { boots: 15 }, raw: "" }],
    [
      "Failed/NetworkTimeout",
      {
        key: "networkSilent",
        device: { kind: "network" },
        facts: { network: "admin", seconds: 1_800, interfaces: "dpu0" },
        raw: "",
      },
    ],
  ])("while the host stands in %s keeps the cause that it stopped for", (state, cause) => {
    const over = overdueIn(
      state,
      { network: admin, failedIn: null, ...trouble(cause) },
      "what it stopped for",
    );
    expect(path(over)).toEqual(["Failed/NetworkReconfigTimeout"]);
    expect(stoppedFor(over)).toEqual([cause.key, "releaseOverdue"]);
  });

  it("keeps what the host stopped for while the quarantine is refused as well", () => {
    const refused: Cause = {
      key: "networkRefused",
      device: { kind: "network" },
      facts: { network: "admin" },
      raw: "PUT was answered 404",
    };
    const network = networkContext("quarantine", { askedAt: null });
    const { run, entered } = decideOn(
      hostView("Failed/NetworkRefused", {
        ...overdue,
        run: { lastError: "what it stopped for" },
        context: { network, failedIn: null, ...trouble(refused) },
        effects: [effect("network", "failed", { error: { kind: "http", message: "PUT was answered 503" } })],
      }),
    );
    expect(entered).toEqual([]);
    expect(run.context.trouble).toMatchObject([{ key: "networkRefused" }]);
  });
});
