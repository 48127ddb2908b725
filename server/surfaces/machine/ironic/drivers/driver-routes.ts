// `/v1/drivers`: the drivers that a node may have, and the controllers that offer them (docs/api-ironic.md#validation-drivers-conductors-allocations).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { FleetScope } from "@/server/domain/access/access";
import {
  demand,
  handlersOn,
  ironicRequest,
  since,
  type IronicDeps,
  type IronicHandler,
} from "@/server/surfaces/machine/ironic/deps";
import { readConductors } from "@/server/usecases/hosts/nodes/reading/conductors";
import { enabledDrivers, type Driver } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { unsupportedBy, vendorRefusal } from "@/server/surfaces/machine/ironic/drivers/unsupported";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { readFlag, readQuery } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

const path = z.object({ driver: z.string() });

/** The version that introduced a driver's type, links to its properties, and its interfaces. */
const dynamicSince: Microversion = 30;

async function aliveHosts({ pool }: IronicDeps, scope: FleetScope): Promise<readonly string[]> {
  return (await readConductors(pool, scope)).filter((row) => row.alive).map(({ hostname }) => hostname);
}

const interfacesOf = ({ interfaces: table }: Driver): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, names]) => [
      [`default_${name}`, names[0]],
      [`enabled_${name}s`, names],
    ]),
  );

function driverView(
  driver: Driver,
  hosts: readonly string[],
  { baseUrl, version, detail }: { baseUrl: string; version: Microversion; detail: boolean },
): Readonly<Record<string, unknown>> {
  const view = { name: driver.name, hosts, links: linksTo(baseUrl, `drivers/${driver.name}`) };
  if (version < dynamicSince) return view;
  return {
    ...view,
    type: "dynamic",
    properties: linksTo(baseUrl, `drivers/${driver.name}/properties`),
    ...(detail ? interfacesOf(driver) : {}),
  };
}

/** The driver named in the path. Throws 404. */
function driverOf({ backend }: IronicDeps, request: FastifyRequest): Driver {
  const { driver } = path.parse(request.params);
  const found = enabledDrivers(backend).find(({ name }) => name === driver);
  if (found === undefined) throw fault(404, `Driver ${driver.slice(0, 255)} could not be found.`);
  return found;
}

/** Only these fields of each view. Throws 400 for a field that no driver has. */
function onlyFields(
  views: readonly Readonly<Record<string, unknown>>[],
  fields: readonly string[],
): readonly Readonly<Record<string, unknown>>[] {
  const known = new Set(views.flatMap((driver) => Object.keys(driver)));
  const unknown = fields.filter((name) => !known.has(name));
  if (views.length > 0 && unknown.length > 0)
    throw fault(400, `Field(s) "${unknown.join(", ").slice(0, 200)}" are not valid.`);
  return views.map((driver) => Object.fromEntries(fields.map((name) => [name, driver[name]])));
}

const list: IronicHandler = async (deps, request, reply) => {
  const { actor, version } = ironicRequest(request);
  const scope = demand(actor, "fleet.read");
  const query = readQuery(request, ["type", "detail", "fields"]);
  const type = query.get("type");
  if (type !== undefined && type !== "classic" && type !== "dynamic")
    throw fault(400, `Invalid value for type: '${type.slice(0, 50)}'. Must be one of classic, dynamic.`);
  const fields = query.get("fields")?.split(",");
  const detail = readFlag(query, "detail") === true || fields !== undefined;
  const hosts = await aliveHosts(deps, scope);
  const views = (type === "classic" ? [] : enabledDrivers(deps.backend)).map((driver) =>
    driverView(driver, hosts, { baseUrl: deps.baseUrl, version, detail }),
  );
  return reply.send({ drivers: fields === undefined ? views : onlyFields(views, fields) });
};

const show: IronicHandler = async (deps, request, reply) => {
  const { actor, version } = ironicRequest(request);
  const scope = demand(actor, "fleet.read");
  readQuery(request, []);
  const driver = driverOf(deps, request);
  const hosts = await aliveHosts(deps, scope);
  return reply.send(driverView(driver, hosts, { baseUrl: deps.baseUrl, version, detail: true }));
};

const properties: IronicHandler = async (deps, request, reply) => {
  demand(ironicRequest(request).actor, "fleet.read");
  readQuery(request, []);
  return reply.send(driverOf(deps, request).properties);
};

const vendorMethods: IronicHandler = async (deps, request, reply) => {
  demand(ironicRequest(request).actor, "fleet.read");
  readQuery(request, []);
  driverOf(deps, request);
  return reply.send({});
};

const logicalDiskProperties: IronicHandler = async (deps, request) => {
  demand(ironicRequest(request).actor, "fleet.read");
  throw unsupportedBy(driverOf(deps, request).name, "get_logical_disk_properties");
};

const vendorCall: IronicHandler = async (deps, request) => {
  demand(ironicRequest(request).actor, "fleet.read");
  throw vendorRefusal(driverOf(deps, request).name, request);
};

export function driverRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const on = handlersOn(deps);
  app.get("/drivers", on(list));
  app.get("/drivers/:driver", on(show));
  app.get("/drivers/:driver/properties", on(properties));
  app.get("/drivers/:driver/vendor_passthru/methods", on(vendorMethods));
  for (const passthru of ["vendor_passthru", "vendor_passthru/:method"])
    app.route({
      method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      url: `/drivers/:driver/${passthru}`,
      handler: on(vendorCall),
    });
  app.get("/drivers/:driver/raid/logical_disk_properties", since(12), on(logicalDiskProperties));
}
