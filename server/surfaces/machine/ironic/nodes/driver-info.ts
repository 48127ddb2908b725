// `driver_info` as clients write it: where the BMC is and how to sign in are extracted when it is stored, and put back when it is shown.
import { isIP } from "node:net";
import { z } from "zod";
import { checkBmcAddress } from "@/server/hardware/bmc-address";
import { mask } from "@/server/domain/hosts/nodes/masking";
import type { NodeBmc, NodeFields } from "@/server/domain/hosts/nodes/node-values";
import type { StoredNode } from "@/server/usecases/hosts/nodes/read-record";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { booleanOf } from "@/server/surfaces/machine/ironic/wire/query";

/** Stands for a stored password. */
export const masked = mask;

export interface DriverInfo {
  readonly bmc: NodeBmc;
  readonly driverInfo: NodeFields["driverInfo"];
}

const text = z.string().nullable().optional();

/** As a client sees it. */
export function shownDriverInfo({
  fields,
  bmc,
}: Pick<StoredNode, "fields" | "bmc">): Record<string, z.core.util.JSONType> {
  return {
    ...(bmc.address === null ? {} : { redfish_address: bmc.address }),
    ...(bmc.username === null ? {} : { redfish_username: bmc.username }),
    ...(bmc.hasPassword ? { redfish_password: masked } : {}),
    ...fields.driverInfo,
  };
}

/** The origin of a BMC's address. Throws 400 for anything else, and for an IP outside the BMC networks. Names are resolved and checked at each connection. */
export function bmcOrigin(address: string, networks: readonly string[]): string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  const plain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "";
  if (url === null || !plain)
    throw fault(
      400,
      "Invalid value for driver_info/redfish_address: it must be http:// or https://, a name or address, and a port, and nothing else",
    );
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  const verdict = isIP(literal) === 0 ? null : checkBmcAddress(literal, networks);
  if (verdict !== null && !verdict.ok)
    throw fault(400, `Invalid value for driver_info/redfish_address: ${verdict.reason}`);
  return url.origin;
}

/** Throws 400 if a client wants certificates not to be checked, or to be checked differently. */
function checkTrust(value: unknown, address: string | null): void {
  const wanted = typeof value === "string" ? booleanOf(value) : value;
  if (value === undefined || value === null || wanted === true) return;
  if (wanted === false && (address === null || address.startsWith("http://"))) return;
  throw fault(
    400,
    "Invalid value for driver_info/redfish_verify_ca: the certificate of a BMC is always checked. Leave it out, and confirm the certificate that the BMC shows (reclaim hosts confirm-certificate), or name its authority in the site document",
  );
}

/** Extracts the BMC from `driver_info`. `hadPassword`: sending back the mask leaves a stored password unchanged. Throws 400. */
export function takeBmc(
  given: Readonly<Record<string, z.core.util.JSONType>>,
  {
    networks,
    hadPassword,
    seenAddress,
  }: {
    readonly networks: readonly string[];
    readonly hadPassword: boolean;
    readonly seenAddress: string | null;
  },
): DriverInfo {
  // Reclaim does not use IPMI. Clients that send its password with each node need not be changed: it is checked, and not kept.
  const { redfish_address, redfish_username, redfish_password, ipmi_password, ...driverInfo } = given;
  const textOf = (name: string, value: unknown): string | null => {
    const parsed = text.safeParse(value);
    if (!parsed.success) throw fault(400, `Invalid value for driver_info/${name}: a text is expected`);
    return parsed.data ?? null;
  };
  textOf("ipmi_password", ipmi_password);
  const address = textOf("redfish_address", redfish_address);
  const password = textOf("redfish_password", redfish_password);
  // A stored address was checked when it was set; the networks may have changed since.
  const origin = address === null || address === seenAddress ? address : bmcOrigin(address, networks);
  checkTrust(driverInfo.redfish_verify_ca, origin);
  textOf("redfish_system_id", driverInfo.redfish_system_id);
  return {
    bmc: {
      address: origin,
      username: textOf("redfish_username", redfish_username),
      ...(hadPassword && password === masked ? {} : { password }),
    },
    driverInfo,
  };
}
