// Checks a BMC at an address, or a captured tree, without a server: for the command `reclaim bmc check` (docs/hardware.md#reclaim-bmc-check).
import { bmcCheckNames, treeCheckNames, verdictOf } from "@/server/domain/hardware/bmc-report";
import type { BmcCheck, BmcVerdict } from "@/server/domain/hardware/bmc-report";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { loopbackWord } from "@/server/hardware/bmc-address";
import { checkBmc } from "@/server/hardware/redfish/check/check-bmc";
import { serveTree } from "@/server/hardware/redfish/check/tree-server";
import { RedfishClient } from "@/server/hardware/redfish/client/client";

export interface PlaceReport {
  readonly verdict: BmcVerdict;
  readonly checks: readonly BmcCheck[];
}

export interface AddressToCheck {
  /** With its scheme. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** SHA-256 of the certificate that it must show; null: an authority of this machine must vouch for it. */
  readonly certificate: string | null;
  /** Which system, if it has several; null: the only one. */
  readonly system: string | null;
  /** Authorities as PEM; null: those of this machine. */
  readonly authorities: string | null;
}

/** A person's own machine may connect to where the person asks; only the server has a list of networks. */
export const everywhere = [loopbackWord, "0.0.0.0/0", "::/0"];
const timeoutMs = 300_000;

async function check(
  target: Pick<BmcTarget, "address" | "username" | "password"> & Partial<BmcTarget>,
  names: typeof bmcCheckNames | typeof treeCheckNames,
  signal: AbortSignal,
): Promise<PlaceReport> {
  const client = new RedfishClient({ networks: everywhere });
  const hostId = "bmc-check";
  try {
    const checks = await checkBmc(
      client,
      { hostId, links: null, powerState: null, ...target },
      { timeoutMs, signal, names },
    );
    return { verdict: verdictOf(checks, names), checks };
  } finally {
    await client.endSessions(new Set([hostId]));
    await client.close();
  }
}

/** What a call to this address needs. */
export const targetOf = ({ system, authorities, ...target }: AddressToCheck) => ({
  ...target,
  trust: { by: "pinOrAuthority", authorities } as const,
  ...(system === null ? {} : { system: { path: system, systemUuid: null, serial: null } }),
});

/** Signs in, reads, and signs out. */
export const checkAddress = (address: AddressToCheck, signal: AbortSignal): Promise<PlaceReport> =>
  check(targetOf(address), bmcCheckNames, signal);

/** Null: the folder is no captured tree. */
export async function checkTree(
  folder: string,
  system: string | null,
  signal: AbortSignal,
): Promise<PlaceReport | null> {
  const tree = await serveTree(folder);
  if (tree === null) return null;
  try {
    return await check(
      {
        address: tree.address,
        username: "tree",
        password: "",
        ...(system === null ? {} : { system: { path: system, systemUuid: null, serial: null } }),
      },
      treeCheckNames,
      signal,
    );
  } finally {
    await tree.stop();
  }
}
