// `PATCH …/machine/{id}` (docs/api.md#nico): a host's labels, and its online repair. In NICo's order of checks: the caller, the host, the body.
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { setHostLabels } from "@/server/usecases/hosts/labels/set-labels";
import { getMachine, machineScope, mayListMachines } from "@/server/usecases/hosts/machines/read-machines";
import type { Machine } from "@/server/usecases/hosts/machines/read-machines";
import { setSubject } from "@/server/surfaces/machine/http/subject";
import { checkBody, readObject } from "@/server/surfaces/machine/nico/body";
import { NicoFault, valueOf } from "@/server/surfaces/machine/nico/faults";
import { noMachine, notPrivileged } from "@/server/surfaces/machine/nico/machine-routes";
import { machineView, placeLabels } from "@/server/surfaces/machine/nico/machine-view";
import { memberOf } from "@/server/surfaces/machine/nico/membership";
import {
  changeOnlineRepair,
  onlineRepairMembers,
  readOnlineRepair,
} from "@/server/surfaces/machine/nico/online-repair";

const path = z.object({ org: z.string(), machineId: z.string() });
const uuid = z.guid();
const kinds = [
  "setMaintenanceMode",
  "instanceTypeId",
  "clearInstanceType",
  "labels",
  "onlineRepair",
] as const;
const listed = "setMaintenanceMode, instanceTypeId, clearInstanceType, labels, or onlineRepair";
const invalid = "Error validating Machine update request data";
const text = z.string({ error: "must be a string" });

const update = z.strictObject({
  setMaintenanceMode: z.boolean({ error: "must be true or false" }).nullish(),
  maintenanceMessage: text.nullish(),
  instanceTypeId: z.guid("must be a valid UUID").nullish(),
  clearInstanceType: z.boolean({ error: "must be true or false" }).nullish(),
  labels: z.record(z.string(), text, { error: "must be an object" }).pipe(hostLabels).nullish(),
  ...onlineRepairMembers,
});
type Update = z.output<typeof update>;

/** The one kind of change that the body requests. Throws 400 for none, and for more than one. */
function readUpdate(body: unknown): Update {
  const asked = checkBody(update, readObject(body), invalid);
  const given = kinds.filter((kind) => asked[kind] !== null && asked[kind] !== undefined);
  if (given.length > 1)
    throw new NicoFault(400, invalid, { __all__: `only one of ${listed} can be set at a time` });
  if (given.length === 0 && !asked.healthIssue)
    throw new NicoFault(400, invalid, {
      __all__: `no updates specified. At least one of ${listed} must be specified`,
    });
  if (given.length === 1 && given[0] !== "onlineRepair" && asked.healthIssue)
    readOnlineRepair(asked, invalid);
  return asked;
}

/** Throws 501 for a kind of change that this version does not support. */
function labelsIn(body: unknown): Readonly<Record<string, string>> {
  const asked = readUpdate(body);
  if (asked.labels === null || asked.labels === undefined) {
    const given = kinds.find((kind) => asked[kind] !== null && asked[kind] !== undefined);
    throw new NicoFault(501, `This version does not take ${given ?? ""} with a Machine; use the console`);
  }
  return asked.labels;
}

/** Any tenant may request the repair of a machine that it has; labels require a privilege. An invalid body is left to the code that reads it. */
function asksForRepair(body: unknown): boolean {
  try {
    const asked = Object.entries(readObject(body));
    return asked.some(([name, value]) => Object.hasOwn(onlineRepairMembers, name) && value !== null);
  } catch {
    return false;
  }
}

export function machineWritingRoutes(app: FastifyInstance, backend: Backend): void {
  app.patch("/org/:org/nico/machine/:machineId", async (request, reply) => {
    const { org, machineId } = path.parse(request.params);
    const { actor } = await memberOf(backend, request, org);
    const scope = machineScope(actor);
    const repair = asksForRepair(request.body);
    if (!repair) valueOf(mayListMachines(scope), { forbidden: notPrivileged });
    if (!uuid.safeParse(machineId).success) throw new NicoFault(404, noMachine);
    const machine = valueOf(await getMachine(backend.database, scope, machineId), { notFound: noMachine });
    const facts = { requestId: request.id, address: request.clientAddress };
    if (repair)
      await changeOnlineRepair(
        backend,
        actor,
        facts,
        machine,
        readOnlineRepair(readUpdate(request.body), invalid),
      );
    else await changeLabels(backend, actor, facts, machine, labelsIn(request.body));
    setSubject(request, { hostId: machineId, reclamationId: null });
    return reply.send(machineView(valueOf(await getMachine(backend.database, scope, machineId)), false));
  });
}

/** A client sends back what it read, so entries that only repeat the host's name and rack are not stored as labels. */
async function changeLabels(
  backend: Backend,
  actor: Actor,
  facts: Request,
  machine: Machine,
  asked: Readonly<Record<string, string>>,
): Promise<void> {
  const place = placeLabels(machine);
  const labels = Object.fromEntries(Object.entries(asked).filter(([key, value]) => place[key] !== value));
  valueOf(await setHostLabels(backend, actor, facts, { hostId: machine.id, labels }), {
    notFound: noMachine,
    ...(machineScope(actor).kind === "all" ? {} : { forbidden: notPrivileged }),
  });
}
