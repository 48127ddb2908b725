// `…/measured-boot/…`: NICo's approvals for a boot that nobody looked at yet. There are none: two people approve each bundle, after its boot
// (docs/adr/0150-measured-boot.md).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Backend } from "@/server/usecases/backend";
import { machineScope, mayReadMetadata } from "@/server/usecases/hosts/machines/read-machines";
import { listSites } from "@/server/usecases/sites/list-sites";
import { NicoFault, valueOf } from "@/server/surfaces/machine/nico/faults";
import { memberOf } from "@/server/surfaces/machine/nico/membership";
import { noSite } from "@/server/surfaces/machine/nico/place-routes";
import { readOne, readQuery } from "@/server/surfaces/machine/nico/query";

const base = "/org/:org/nico";
const orgPath = z.object({ org: z.string() });
const uuid = z.guid("must be a valid UUID");
const onlyProvider = "Measured Boot approvals can only be requested by Provider";

export function measuredBootRoutes(app: FastifyInstance, backend: Backend): void {
  const member = (request: FastifyRequest) => memberOf(backend, request, orgPath.parse(request.params).org);

  for (const route of ["trusted-machine", "trusted-profile"]) {
    app.get(`${base}/measured-boot/${route}`, async (request, reply) => {
      const { actor } = await member(request);
      valueOf(mayReadMetadata(machineScope(actor)), { forbidden: onlyProvider });
      const siteId = readOne(readQuery(request.query, ["siteId"]), "siteId", uuid, "Site ID");
      if (siteId === null) throw new NicoFault(400, "siteId is required", { siteId: "a value is required" });
      if (!(await listSites(backend, actor)).some(({ id }) => id === siteId.toLowerCase()))
        throw new NicoFault(404, noSite);
      return reply.send([]);
    });
    app.post(`${base}/measured-boot/${route}`, async (request) => {
      const { actor } = await member(request);
      valueOf(mayReadMetadata(machineScope(actor)), { forbidden: onlyProvider });
      throw new NicoFault(501, "No boot is trusted before two people have approved what it measured");
    });
  }
}
