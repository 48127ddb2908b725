// `/v1/drivers`: what a node may be driven by, and by which controllers (docs/api-ironic.md#validation-drivers-conductors-allocations).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { FleetScope } from "@/server/usecases/read";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { readConductors } from "@/server/usecases/nodes/reading/conductors";
import { enabledDrivers, type Driver } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { readFlag, readQuery } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

const path = z.object({ driver: z.string() });

/** The version that brought the type of a driver, links to its properties, and its interfaces. */
const dynamicSince: Microversion = 30;

export function driverRoutes(app: FastifyInstance, { backend, pool, baseUrl }: IronicDeps): void {
  const alive = async (scope: FleetScope): Promise<readonly string[]> =>
    (await readConductors(pool, scope)).filter((row) => row.alive).map(({ hostname }) => hostname);

  const interfaces = ({ interfaces: table }: Driver) =>
    Object.fromEntries(
      Object.entries(table).flatMap(([name, names]) => [
        [`default_${name}`, names[0]],
        [`enabled_${name}s`, names],
      ]),
    );

  const view = (driver: Driver, hosts: readonly string[], version: Microversion, detail: boolean) => ({
    name: driver.name,
    hosts,
    links: linksTo(baseUrl, `drivers/${driver.name}`),
    ...(version < dynamicSince
      ? {}
      : {
          type: "dynamic",
          properties: linksTo(baseUrl, `drivers/${driver.name}/properties`),
          ...(detail ? interfaces(driver) : {}),
        }),
  });

  /** Throws 404. */
  const find = (params: unknown): Driver => {
    const { driver } = path.parse(params);
    const found = enabledDrivers(backend).find(({ name }) => name === driver);
    if (found === undefined) throw fault(404, `Driver ${driver.slice(0, 255)} could not be found.`);
    return found;
  };

  app.get("/drivers", async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    const scope = demand(actor, "fleet.read");
    const query = readQuery(request, ["type", "detail", "fields"]);
    const type = query.get("type");
    if (type !== undefined && type !== "classic" && type !== "dynamic")
      throw fault(400, `Invalid value for type: '${type.slice(0, 50)}'. Must be one of classic, dynamic.`);
    const fields = query.get("fields")?.split(",");
    const detail = readFlag(query, "detail") === true || fields !== undefined;
    const hosts = await alive(scope);
    const views = (type === "classic" ? [] : enabledDrivers(backend)).map((driver): Record<string, unknown> =>
      view(driver, hosts, version, detail),
    );
    const known = new Set(views.flatMap((driver) => Object.keys(driver)));
    const unknown = (fields ?? []).filter((name) => !known.has(name));
    if (views.length > 0 && unknown.length > 0)
      throw fault(400, `Field(s) "${unknown.join(", ").slice(0, 200)}" are not valid.`);
    return reply.send({
      drivers:
        fields === undefined
          ? views
          : views.map((driver) => Object.fromEntries(fields.map((name) => [name, driver[name]]))),
    });
  });

  app.get("/drivers/:driver", async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    const scope = demand(actor, "fleet.read");
    readQuery(request, []);
    return reply.send(view(find(request.params), await alive(scope), version, true));
  });

  app.get("/drivers/:driver/properties", async (request, reply) => {
    demand(ironicRequest(request).actor, "fleet.read");
    readQuery(request, []);
    return reply.send(find(request.params).properties);
  });

  app.get("/drivers/:driver/vendor_passthru/methods", async (request, reply) => {
    demand(ironicRequest(request).actor, "fleet.read");
    readQuery(request, []);
    find(request.params);
    return reply.send({});
  });

  app.get("/drivers/:driver/raid/logical_disk_properties", since(12), async (request) => {
    demand(ironicRequest(request).actor, "fleet.read");
    throw fault(
      400,
      `Driver ${find(request.params).name} does not support get_logical_disk_properties (disabled or not implemented).`,
    );
  });
}
