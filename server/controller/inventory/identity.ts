// Compares what a BMC says of its host with how the host was enrolled, and learns what was not given then
// (docs/design/lifecycle.md#verifying-a-bmc).
import { z } from "zod";
import type { HostPatch } from "@/server/controller/host/decision";
import { machineTypeOf } from "@/server/domain/hardware/machine-types";
import type { VerifyValue } from "@/server/controller/host/effect-outcome";
import { systemPath } from "@/server/domain/hardware/bmc-system";
import { serialOf, unexpected } from "@/server/domain/hosts/enrolment/expected-identity";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { isOwnUuid, sameUuid } from "@/server/domain/hosts/inventory/system-uuid";
import type { HostFacts, ReportedIdentity } from "@/server/domain/hosts/record/host";

export type Identity =
  | { readonly kind: "known" }
  | {
      readonly kind: "learned";
      readonly learned: NonNullable<HostPatch["learned"]>;
      readonly eraseUntilMs: number | null;
    }
  | { readonly kind: "refused"; readonly message: string };

const systemLink = z.object({ system: z.string() });

/** The path of the system that was found. */
const systemOf = (links: VerifyValue["links"]): string | null =>
  systemLink.safeParse(links).data?.system ?? null;

const refused = (message: string): Identity => ({ kind: "refused", message });

/**
 * Compares a reading with what is known of the host. The serial is the BMC's, or the one given by hand if the BMC reports none: the debt of a
 * chassis is stored by it. Throws if something must be learned from a reading that the claim did not see. Pure.
 */
export function identify(
  host: HostFacts,
  found: Pick<VerifyValue, "system" | "macs" | "links">,
  told: ReportedIdentity | null,
): Identity {
  const named = told?.systemPath ?? null;
  const path = systemOf(found.links);
  // safety: identity: the system of its service that was named
  if (named !== null && (path === null || systemPath(path) !== systemPath(named)))
    return refused(`the BMC's system is ${path ?? "not named"}, but the host was enrolled as ${named}`);
  const serial = serialOf(host, found.system.serial);
  const systemUuid = found.system.uuid.toLowerCase();
  // A host of 0.2.0 may be known by a placeholder, which is read as none: then its serial decides.
  const isUnnamed =
    host.systemUuid !== null &&
    !isOwnUuid(host.systemUuid) &&
    systemUuid === "" &&
    !isPlaceholderSerial(serial);
  // safety: identity: the BMC is of the enrolled serial
  if (host.serial !== null && serial !== host.serial && !host.confirmed.serials.includes(serial))
    return refused(`the BMC reports serial ${serial}, but the host was enrolled as ${host.serial}`);
  // safety: identity: the BMC is of the enrolled system
  if (
    host.systemUuid !== null &&
    !isUnnamed &&
    !sameUuid(host.systemUuid, systemUuid) &&
    !host.confirmed.systemUuids.some((uuid) => sameUuid(uuid, systemUuid))
  )
    return refused(
      `the BMC reports system UUID ${found.system.uuid}, but the host was enrolled as ${host.systemUuid}`,
    );
  // Also for a known host: a server of an earlier release learns the identity without comparing.
  const expected = unexpected(host, { serial, systemUuid });
  if (expected !== null) return refused(expected);
  if (host.serial !== null && host.systemUuid !== null) return { kind: "known" };
  if (isPlaceholderSerial(serial))
    return refused(
      "the BMC reports no serial, or one that many boards have, and the host was enrolled without one. Enter the serial that its firmware reports to the operating system as the expected serial in Change BMC, which reads the BMC again",
    );
  if (!isOwnUuid(systemUuid))
    return refused(
      "the BMC reports no system UUID, or one that many boards have. Set one in the machine's firmware with its vendor's tool, then verify the host again",
    );
  if (told === null) throw new Error(`the claim of a host in Verifying says nothing of serial ${serial}`);
  // safety: identity: no serial of another host
  if (told.serialOf !== null)
    return refused(`the BMC reports serial ${serial}, which belongs to host ${told.serialOf}`);
  // safety: identity: no system of another host
  if (told.systemUuidOf !== null)
    return refused(`the BMC reports system UUID ${systemUuid}, which belongs to host ${told.systemUuidOf}`);
  // Ports named by a person are the cabled NICs; without any, every NIC must acknowledge a network.
  const ownMacs = found.macs.filter((mac) => !told.portsOfOthers.includes(mac));
  const learnedInterfaces = told.ports.length > 0 ? told.ports : ownMacs;
  const networkInterfaces = host.networkInterfaces.length > 0 ? host.networkInterfaces : learnedInterfaces;
  // safety: identity: something must acknowledge a network
  if (networkInterfaces.length === 0)
    return refused(
      found.system.power === "on"
        ? "no network interface is known: the host has no port, and its BMC lists none"
        : "no network interface is known: the host has no port, and its BMC lists none while the machine is not on. Switch it on and verify the host again, or give it a port",
    );
  return {
    kind: "learned",
    learned: {
      serial,
      systemUuid,
      networkInterfaces,
      hardwareType: told.hardwareTypeOpen ? machineTypeOf(found.system.manufacturer) : null,
    },
    eraseUntilMs: told.eraseUntilMs,
  };
}
