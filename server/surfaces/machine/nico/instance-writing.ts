// `POST …/instance` and `PATCH …/instance/{id}` (docs/api.md#nico): which host, under which name, in which network.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { instanceDescription, instanceName } from "@/server/domain/instances/own-text";
import { requestedInterfaces } from "@/server/domain/hosts/network/tenant-network";
import type { Backend } from "@/server/usecases/backend";
import { claimHost, hostTaken } from "@/server/usecases/instances/claim-host";
import { getTenantInstance } from "@/server/usecases/instances/tenant-instances";
import type { Member } from "@/server/usecases/instances/tenant-instances";
import { updateInstance } from "@/server/usecases/instances/update-instance";
import type { Outcome } from "@/server/usecases/problem";
import { setSubject } from "@/server/surfaces/machine/http/subject";
import { checkBody, readObject, withoutUnsupported } from "@/server/surfaces/machine/nico/body";
import { NicoFault, valueOf } from "@/server/surfaces/machine/nico/faults";
import { demandInstanceId, instanceText } from "@/server/surfaces/machine/nico/instance-text";
import { machineView } from "@/server/surfaces/machine/nico/machine-view";
import { getMachine, machineScope } from "@/server/usecases/hosts/machines/read-machines";
import { instanceView } from "@/server/surfaces/machine/nico/instance-view";
import { instanceMember } from "@/server/surfaces/machine/nico/membership";

const base = "/org/:org/nico/instance";
const orgPath = z.object({ org: z.string() });
const path = z.object({ org: z.string(), instanceId: z.string() });
const uuid = z.guid("must be a valid UUID");

/** The tenant brings its own system: Reclaim hands over a host that boots from its disk. */
const unsupportedAlways = [
  "operatingSystemId",
  "ipxeScript",
  "userData",
  "alwaysBootWithCustomIpxe",
  "phoneHomeEnabled",
  "networkSecurityGroupId",
  "secondaryVpcIds",
  "infinibandInterfaces",
  "nvLinkInterfaces",
  "dpuExtensionServiceDeployments",
  "sshKeyGroupIds",
];
const unsupportedInCreation = unsupportedAlways;
const unsupportedInUpdate = [
  ...unsupportedAlways,
  "interfaces",
  "triggerReboot",
  "rebootWithCustomIpxe",
  "applyUpdatesOnReboot",
];

const labels = z
  .record(z.string(), z.string())
  .refine((given) => Object.keys(given).length <= 10, "must have at most 10 labels");

const creation = z.strictObject({
  name: instanceName,
  description: instanceDescription.nullish(),
  tenantId: uuid,
  instanceTypeId: uuid.nullish(),
  machineId: uuid.nullish(),
  allowUnhealthyMachine: z.boolean({ error: "must be true or false" }).nullish(),
  vpcId: uuid,
  labels: labels.optional(),
  interfaces: requestedInterfaces.refine(
    (asked) => asked.length > 0,
    "at least one interface must be specified",
  ),
});
const update = z.strictObject({
  name: instanceName.nullish(),
  description: instanceDescription.nullish(),
  labels: labels.optional(),
});

const duplicate = "An Instance with specified name already exists for Tenant";

const invalidCreation = "Error validating Instance creation request data";

/** A use case's value. Throws its problem, with NICo's message if it has one. */
function madeOf<T>(outcome: Outcome<T>, exact: boolean): T {
  if (outcome.ok) return outcome.value;
  const { code, field } = outcome.problem;
  if (field === "name" && code === "conflict") throw new NicoFault(409, duplicate);
  if (field === "networkAllocation")
    throw new NicoFault(
      403,
      exact
        ? "Tenant does not have any Allocations with Site specified in request data"
        : "Tenant does not have any Allocations for Site and Instance Type specified in request data",
    );
  if (exact && code === "forbidden")
    throw new NicoFault(403, "Tenant does not have capability to create Instances using specific Machine ID");
  if (exact && code === "notFound")
    throw new NicoFault(400, "Could not find Machine with ID specified in request data");
  return valueOf(outcome);
}

/** NICo's instance type is our SKU. Throws 400. */
function wantedOf({ machineId, instanceTypeId, allowUnhealthyMachine }: z.output<typeof creation>) {
  if (typeof machineId === "string" && !instanceTypeId)
    return { hostId: machineId, allowUnhealthy: allowUnhealthyMachine === true };
  if (typeof instanceTypeId === "string" && !machineId) return { skuId: instanceTypeId };
  throw new NicoFault(400, invalidCreation, {
    instanceTypeId: "either instanceTypeId or machineId must be specified",
  });
}

/** Why a named host is not available, in NICo's words, from what the tenant may read about it. */
async function whyNot(
  { database }: Backend,
  actor: Member["actor"],
  { machineId, allowUnhealthyMachine }: z.output<typeof creation>,
  isTaken: boolean,
): Promise<string> {
  const id = machineId ?? "";
  const assigned = `Machine: ${id} is assigned to an Instance, cannot be used for new Instance`;
  // The controller has not read the claim yet.
  if (isTaken) return assigned;
  const { status } = machineView(valueOf(await getMachine(database, machineScope(actor), id)), false);
  if (status === "InUse") return assigned;
  return allowUnhealthyMachine === true
    ? `Machine: ${id} has status: ${status} that does not allow Instance creation even with \`allowUnhealthyMachine\` set to true`
    : `Machine: ${id} is not in Ready state, but it can be provisioned by setting \`allowUnhealthyMachine\` to true in request`;
}

export function instanceWritingRoutes(app: FastifyInstance, backend: Backend): void {
  const factsOf = (request: FastifyRequest) => ({ requestId: request.id, address: request.clientAddress });
  const viewOf = async (member: Member, id: string) =>
    instanceView(valueOf(await getTenantInstance(backend.database, member, id), instanceText));

  app.post(base, async (request, reply) => {
    const { org } = orgPath.parse(request.params);
    const member = await instanceMember(backend, request, org, "instance.create");
    const asked = checkBody(
      creation,
      withoutUnsupported(readObject(request.body), unsupportedInCreation),
      invalidCreation,
    );
    if (asked.tenantId !== member.actor.tenantId) throw new NicoFault(403, instanceText.forbidden);
    const claimed = await claimHost(backend, member.actor, factsOf(request), {
      name: asked.name,
      labels: asked.labels,
      network: { vpcId: asked.vpcId, interfaces: asked.interfaces },
      wanted: wantedOf(asked),
      description: asked.description ?? undefined,
    });
    if (!claimed.ok && claimed.problem.code === "conflict" && claimed.problem.field === "hostId") {
      const isTaken = claimed.problem.detail === hostTaken;
      throw new NicoFault(400, await whyNot(backend, member.actor, asked, isTaken));
    }
    const made = madeOf(claimed, typeof asked.machineId === "string");
    setSubject(request, { hostId: made.hostId, reclamationId: null });
    return reply.code(201).send(await viewOf(member, made.id));
  });

  app.patch(`${base}/:instanceId`, async (request, reply) => {
    const { org, instanceId } = path.parse(request.params);
    const member = await instanceMember(backend, request, org, "instance.edit");
    const id = demandInstanceId(instanceId);
    valueOf(await getTenantInstance(backend.database, member, id), instanceText);
    const { name, description, labels } = checkBody(
      update,
      withoutUnsupported(readObject(request.body), unsupportedInUpdate),
      "Error validating Instance update request data",
    );
    const changed = await updateInstance(backend, member.actor, factsOf(request), {
      instanceId: id,
      name: name ?? undefined,
      description,
      labels,
    });
    madeOf(changed, false);
    return reply.send(await viewOf(member, id));
  });
}
