// `/v1/conductors`: the controllers, by name (docs/api-ironic.md#validation-drivers-conductors-allocations).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { readConductors, type ConductorRow } from "@/server/usecases/hosts/nodes/reading/conductors";
import { enabledDrivers } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { readFlag, readLimit, readQuery } from "@/server/surfaces/machine/ironic/wire/query";

const path = z.object({ hostname: z.string() });

export function conductorRoutes(app: FastifyInstance, { backend, pool, baseUrl }: IronicDeps): void {
  const head = ({ hostname, alive }: ConductorRow) => ({
    hostname,
    conductor_group: "",
    alive,
    links: linksTo(baseUrl, `conductors/${encodeURIComponent(hostname)}`),
  });
  const whole = (row: ConductorRow) => ({
    ...head(row),
    drivers: enabledDrivers(backend).map(({ name }) => name),
    created_at: row.startedAt.toISOString().replace("Z", "+00:00"),
    updated_at: null,
  });

  const list = async (request: FastifyRequest, always: boolean) => {
    const scope = demand(ironicRequest(request).actor, "fleet.read");
    const query = readQuery(request, ["limit", "marker", "detail"]);
    const limit = readLimit(query);
    const marker = query.get("marker");
    const detail = always || readFlag(query, "detail") === true;
    const rows = (await readConductors(pool, scope)).filter(
      ({ hostname }) => marker === undefined || hostname > marker,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const more =
      last === undefined || page.length < limit
        ? {}
        : {
            next: `${baseUrl}/v1/conductors?limit=${limit}&marker=${encodeURIComponent(last.hostname)}${detail ? "&detail=True" : ""}`,
          };
    return { conductors: page.map(detail ? whole : head), ...more };
  };
  app.get("/conductors", since(49), async (request, reply) => reply.send(await list(request, false)));
  // openstacksdk requests this for a detailed list; real Ironic answers 404.
  app.get("/conductors/detail", since(49), async (request, reply) => reply.send(await list(request, true)));

  app.get("/conductors/:hostname", since(49), async (request, reply) => {
    const scope = demand(ironicRequest(request).actor, "fleet.read");
    readQuery(request, []);
    const { hostname } = path.parse(request.params);
    const found = (await readConductors(pool, scope)).find((row) => row.hostname === hostname);
    if (found === undefined) throw fault(404, `Conductor ${hostname.slice(0, 255)} cannot be found.`);
    return reply.send(whole(found));
  });
}
