// `PATCH …/machine/{id}` (docs/api.md#nico): the labels of a host. NICo's order of checks: who asks, the host, the body.
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { hostLabels } from "@/server/domain/labels/host-labels";
import type { Backend } from "@/server/usecases/backend";
import { setHostLabels } from "@/server/usecases/hosts/labels/set-labels";
import { getMachine, machineScope, mayListMachines } from "@/server/usecases/machines/read-machines";
import { setSubject } from "@/server/surfaces/machine/http/subject";
import { checkBody, readObject } from "@/server/surfaces/machine/nico/body";
import { NicoFault, valueOf } from "@/server/surfaces/machine/nico/faults";
import { noMachine, notPrivileged } from "@/server/surfaces/machine/nico/machine-routes";
import { machineView, placeLabels } from "@/server/surfaces/machine/nico/machine-view";
import { memberOf } from "@/server/surfaces/machine/nico/membership";

const path = z.object({ org: z.string(), machineId: z.string() });
const uuid = z.guid();
const kinds = ["setMaintenanceMode", "instanceTypeId", "clearInstanceType", "labels"] as const;
const listed = "setMaintenanceMode, instanceTypeId, clearInstanceType or labels";
const invalid = "Error validating Machine update request data";
const text = z.string({ error: "must be a string" });

const update = z.strictObject({
  setMaintenanceMode: z.boolean({ error: "must be true or false" }).nullish(),
  maintenanceMessage: text.nullish(),
  instanceTypeId: z.guid("must be a valid UUID").nullish(),
  clearInstanceType: z.boolean({ error: "must be true or false" }).nullish(),
  labels: z.record(z.string(), text, { error: "must be an object" }).pipe(hostLabels).nullish(),
});

/** The labels that are asked for. Throws 400 for none and for more than one kind of change, 501 for one that this version does not do. */
function labelsIn(body: unknown): Readonly<Record<string, string>> {
  const asked = checkBody(update, readObject(body), invalid);
  const given = kinds.filter((kind) => asked[kind] !== null && asked[kind] !== undefined);
  if (given.length > 1)
    throw new NicoFault(400, invalid, { __all__: `only one of ${listed} can be set at a time` });
  if (given.length === 0)
    throw new NicoFault(400, invalid, {
      __all__: `no updates specified. At least one of ${listed} must be specified`,
    });
  if (asked.labels === null || asked.labels === undefined)
    throw new NicoFault(501, `This version does not take ${given[0] ?? ""} with a Machine; use the console`);
  return asked.labels;
}

export function machineWritingRoutes(app: FastifyInstance, backend: Backend): void {
  app.patch("/org/:org/nico/machine/:machineId", async (request, reply) => {
    const { org, machineId } = path.parse(request.params);
    const { actor } = await memberOf(backend, request, org);
    const scope = machineScope(actor);
    valueOf(mayListMachines(scope), { forbidden: notPrivileged });
    if (!uuid.safeParse(machineId).success) throw new NicoFault(404, noMachine);
    const machine = valueOf(await getMachine(backend.database, scope, machineId), { notFound: noMachine });
    const place = placeLabels(machine);
    // A client sends back what it read; what says only the host's own name and rack is none of its labels.
    const labels = Object.fromEntries(
      Object.entries(labelsIn(request.body)).filter(([key, value]) => place[key] !== value),
    );
    const facts = { requestId: request.id, address: request.clientAddress };
    valueOf(await setHostLabels(backend, actor, facts, { hostId: machineId, labels }), {
      notFound: noMachine,
      ...(scope.kind === "all" ? {} : { forbidden: notPrivileged }),
    });
    setSubject(request, { hostId: machineId, reclamationId: null });
    return reply.send(machineView(valueOf(await getMachine(backend.database, scope, machineId)), false));
  });
}
