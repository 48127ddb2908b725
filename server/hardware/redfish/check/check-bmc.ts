// Checks a BMC from its name to its firmware, with reads alone: nothing on it changes but a session that opens (docs/hardware.md#checks).
import { bmcCheckNames, type BmcCheck, type BmcCheckName } from "@/server/domain/hardware/bmc-report";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { BmcTarget, CallOptions } from "@/server/hardware/interfaces";
import { profileOf } from "@/server/hardware/profiles";
import * as access from "@/server/hardware/redfish/check/access";
import { checkConnection } from "@/server/hardware/redfish/check/connection";
import * as machine from "@/server/hardware/redfish/check/machine";
import * as offers from "@/server/hardware/redfish/check/offers";
import { failed, ofError, Report } from "@/server/hardware/redfish/check/report";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { refusalOf } from "@/server/hardware/redfish/client/sign-in";
import { collectStorage, type FoundStorage } from "@/server/hardware/redfish/inventory/drives";
import { Gather } from "@/server/hardware/redfish/inventory/gather";
import { collectMacs } from "@/server/hardware/redfish/inventory/nics";
import { discover, type Discovered } from "@/server/hardware/redfish/resources/discover";
import { pathOf } from "@/server/hardware/redfish/resources/references";
import { storageLinksOf } from "@/server/hardware/redfish/resources/system";
import { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { isMachineOf } from "@/server/hardware/same-machine";

export interface CheckOptions extends CallOptions {
  /** The certificate of the first contact is accepted. */
  readonly acceptFirst?: boolean;
  /** Left out: all. */
  readonly names?: readonly BmcCheckName[];
}

/** Makes the checks in their order; each is in the result. It never rejects for what a BMC answers. */
export async function checkBmc(
  client: RedfishClient,
  target: BmcTarget,
  { acceptFirst = false, names = bmcCheckNames, ...options }: CheckOptions,
): Promise<readonly BmcCheck[]> {
  const report = new Report(names, target.password);
  const { pin } = await checkConnection(client, target, report, acceptFirst);
  const begun = client.begin({ ...target, certificate: pin }, options);
  if (!begun.ok) {
    for (const check of ["service", "signIn", "system"] as const)
      await report.make(check, () => ofError(begun.error), true);
    await checkMachine(client, null, report);
    return report.checks;
  }
  const { call } = begun;
  client.keepAnswers(call);
  const rooted = await checkAccess(client, call, report);
  await checkMachine(client, rooted, report);
  return report.checks;
}

interface Found {
  readonly call: Call;
  readonly found: Discovered;
}

/** The service, the sign-in, and the system. Null if it is not found. */
async function checkAccess(client: RedfishClient, call: Call, report: Report): Promise<Found | null> {
  const refused = refusalOf(call);
  const kept: { found: Discovered | null } = { found: null };
  await report.make(
    "service",
    async () => {
      const rooted = await client.serviceRoot(call);
      return rooted.ok
        ? access.service(rooted.root)
        : ofError(
            rooted.error,
            "Enter the address of a BMC that speaks Redfish, or switch Redfish on there.",
          );
    },
    true,
  );
  await report.make(
    "signIn",
    async () => {
      const rooted = await client.serviceRoot(call);
      return rooted.ok ? access.signIn(client, call, rooted.root, refused) : ofError(rooted.error);
    },
    true,
  );
  await report.make(
    "system",
    async () => {
      const discovered = await discover(client, call);
      if (!discovered.ok) {
        const { error } = discovered;
        const todo = "Name the system (Change BMC: system), or update the BMC's firmware.";
        return error.kind === "unsupported" ? failed(error.message, todo) : ofError(error);
      }
      const { found } = discovered;
      const { identity, links } = call.target;
      const made = access.system(found);
      if (identity != null && !isMachineOf({ identity, links }, found.reading))
        return failed(
          `${made.says}, but the host has serial ${identity.serial || "(none)"}, system UUID ${identity.systemUuid}`,
          "Correct the address or the system (Change BMC), or confirm that it is the same machine.",
        );
      kept.found = found;
      return made;
    },
    true,
  );
  return kept.found === null ? null : { call, found: kept.found };
}

/** What the system offers. Without a system each check says that it was not made. */
async function checkMachine(client: RedfishClient, at: Found | null, report: Report): Promise<void> {
  const found = (): Found => {
    if (at === null) throw new Error("a check was made without a system");
    return at;
  };
  const links = () => found().found.links;
  const system = () => found().found.system;
  const reading = () => found().found.reading;
  const session = (): StepClient => {
    const { call } = found();
    const step = { target: call.target, args: {}, known: { platform: noPlatformFacts, baseline: null } };
    // Of its own for each check, so that what one leaves out does not fail the next.
    return new StepClient(client, call, links(), profileOf(reading().manufacturer), step);
  };
  const kept: { storage: FoundStorage | null } = { storage: null };
  await report.make("rights", () => access.rights(session()));
  await report.make("time", () => access.time(reading()));
  await report.make("power", () => machine.power(links(), reading()));
  await report.make("boot", () => machine.boot(client, found().call, links()));
  await report.make("storage", async () => {
    const { power } = reading();
    kept.storage = await collectStorage(new Gather(client, found().call), storageLinksOf(system()), {
      before: power,
      now: () => Promise.resolve(power),
    });
    return machine.storage(kept.storage, power);
  });
  await report.make("network", async () => {
    const rooted = await client.serviceRoot(found().call);
    const gather = new Gather(client, found().call);
    const cards = await collectMacs(gather, {
      ethernet: system().EthernetInterfaces?.["@odata.id"],
      interfaces: system().NetworkInterfaces?.["@odata.id"],
      chassis: (system().Links?.Chassis ?? []).flatMap((place) => pathOf(place) ?? []),
      system: links().system,
      systems: rooted.ok ? rooted.root.Systems?.["@odata.id"] : undefined,
    });
    return machine.network(cards, gather.leftOut);
  });
  await report.make("eventLogs", () => offers.eventLogs(session(), system()));
  await report.make("events", () => offers.events(session()));
  await report.make("accounts", () => offers.accounts(session()));
  await report.make("bios", () => offers.bios(session()));
  await report.make("biosDefaults", () => offers.biosDefaults(session(), system()));
  await report.make("secureBootKeys", () => offers.secureBootKeys(session(), system()));
  await report.make("drivesByBmc", () =>
    kept.storage === null
      ? { status: "notKnown", says: "The drives could not be read.", todo: null }
      : offers.drivesByBmc(kept.storage),
  );
  await report.make("bmcRestart", () => offers.bmcRestart(session()));
  await report.make("bmcDefaults", () => offers.bmcDefaults(session()));
  await report.make("firmware", () => offers.firmware(session()));
  await report.make("components", () => offers.components(session()));
}
