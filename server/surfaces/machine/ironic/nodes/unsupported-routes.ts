// What a node's interfaces do not support here: answered as Ironic answers for an interface without support. Nothing is stored.
import type { FastifyInstance } from "fastify";
import { ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { driverOf } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { unsupportedBy, vendorRefusal } from "@/server/surfaces/machine/ironic/drivers/unsupported";
import { findStanding } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

interface Row {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly since: Microversion;
  /** Ironic's name of the missing method. */
  readonly what: string;
}

const rows: readonly Row[] = [
  { method: "GET", path: "management/indicators", since: 63, what: "get_supported_indicators" },
  { method: "GET", path: "management/indicators/:indicator", since: 63, what: "get_indicator_state" },
  { method: "PUT", path: "management/indicators/:indicator", since: 63, what: "set_indicator_state" },
  { method: "PUT", path: "states/raid", since: 12, what: "set_raid_config" },
  { method: "PUT", path: "states/console", since: 1, what: "console" },
  { method: "POST", path: "vifs", since: 28, what: "vif_attach" },
  { method: "DELETE", path: "vifs/:vif", since: 28, what: "vif_detach" },
  { method: "GET", path: "vmedia", since: 93, what: "get_virtual_media" },
  { method: "POST", path: "vmedia", since: 89, what: "attach_virtual_media" },
  { method: "DELETE", path: "vmedia", since: 89, what: "detach_virtual_media" },
];

/** Ironic's name for the driver of a hardware type. */
const driverName = (hardwareType: string): string => driverOf(hardwareType)?.name ?? hardwareType;

export function unsupportedRoutes(app: FastifyInstance, deps: IronicDeps): void {
  for (const row of rows) {
    app.route({
      method: row.method,
      url: `/nodes/:ident/${row.path}`,
      ...since(row.since),
      handler: async (request) => {
        const { ident } = nodePath.parse(request.params);
        const { driver } = await findStanding(deps, ironicRequest(request), ident);
        throw unsupportedBy(driverName(driver), row.what);
      },
    });
  }
  for (const path of ["vendor_passthru", "vendor_passthru/:method"])
    app.route({
      method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      url: `/nodes/:ident/${path}`,
      handler: async (request) => {
        const { ident } = nodePath.parse(request.params);
        const { driver } = await findStanding(deps, ironicRequest(request), ident);
        throw vendorRefusal(driverName(driver), request);
      },
    });
}
