// `…/machine`: list and get (docs/api.md#nico). The provider's people see every host, a privileged tenant a summary of them, any other its own.
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { nicoMachineStatuses } from "@/server/domain/lifecycle/projections";
import { reachOf } from "@/server/domain/access/access";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { nicoRefused, nicoOk, sendNicoError, type NicoResult } from "@/server/surfaces/machine/nico/errors";
import { machineView, readableHistory, type Reader } from "@/server/surfaces/machine/nico/machine-view";
import { memberOf } from "@/server/surfaces/machine/nico/membership";
import {
  pageParameters,
  pagination,
  readList,
  readOne,
  readPage,
  readQuery,
} from "@/server/surfaces/machine/nico/query";
import { machineOrders, readMachines, readRecentStates } from "@/server/surfaces/machine/nico/read-machines";

const base = "/org/:org/nico/machine";
const statesInView = 50;
const uuid = z.uuid("must be a valid UUID");
const flag = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true");
const noMachine = nicoRefused(404, "Could not find Machine specified in URL");
const relations = ["InfrastructureProvider", "Site", "InstanceType"] as const;

/** Known to the contract; no host of ours has one of these. */
const foreignFilters = ["instanceTypeId", "capabilityType", "capabilityName", "hwSkuDeviceType"];
const listParameters = [
  ...foreignFilters,
  "siteId",
  "id",
  "hasInstanceType",
  "tenantId",
  "hasInstance",
  "isMissingOnSite",
  "includeMetadata",
  "status",
  "query",
  "includeRelation",
  ...pageParameters,
];

const readerOf = (actor: Actor): Reader => ({
  provider: reachOf(actor.role, "host.list") === "any",
  tenantId: actor.tenantId,
});

/** May see hosts that it does not hold. */
const privileged = (actor: Actor): boolean => actor.targeted && reachOf(actor.role, "host.summary") === "any";

const metadataFor = (reader: Reader, wanted: boolean | null): NicoResult<boolean> =>
  wanted === true && !reader.provider
    ? nicoRefused(403, "Machine metadata can only be requested by Provider")
    : nicoOk(wanted === true);

export function machineRoutes(app: FastifyInstance, backend: Backend): void {
  app.get(base, async (request, reply) => {
    const member = await memberOf(backend, request, z.object({ org: z.string() }).parse(request.params).org);
    if (!member.ok) return sendNicoError(reply, member.error);
    const { actor } = member.value;
    const reader = readerOf(actor);
    if (!reader.provider && !privileged(actor))
      return sendNicoError(
        reply,
        nicoRefused(403, "Tenant does not have targeted Instance creation capability enabled").error,
      );
    const query = readQuery(request.query, listParameters);
    if (!query.ok) return sendNicoError(reply, query.error);
    const page = readPage(query.value, machineOrders);
    if (!page.ok) return sendNicoError(reply, page.error);
    const lists = {
      siteIds: readList(query.value, "siteId", uuid, "Site ID"),
      tenantIds: readList(query.value, "tenantId", uuid, "Tenant ID"),
    };
    if (!lists.siteIds.ok) return sendNicoError(reply, lists.siteIds.error);
    if (!lists.tenantIds.ok) return sendNicoError(reply, lists.tenantIds.error);
    const statuses = readList(query.value, "status", z.enum(nicoMachineStatuses), "Status value");
    if (!statuses.ok) return sendNicoError(reply, statuses.error);
    const flags = {
      hasInstance: readOne(query.value, "hasInstance", flag, "hasInstance value"),
      missing: readOne(query.value, "isMissingOnSite", flag, "isMissingOnSite value"),
      typed: readOne(query.value, "hasInstanceType", flag, "hasInstanceType value"),
      metadata: readOne(query.value, "includeMetadata", flag, "includeMetadata value"),
    };
    for (const one of Object.values(flags)) if (!one.ok) return sendNicoError(reply, one.error);
    const { hasInstance, missing, typed, metadata } = flags;
    if (!hasInstance.ok || !missing.ok || !typed.ok || !metadata.ok) return reply;
    if (hasInstance.value !== null && lists.siteIds.value === null)
      return sendNicoError(
        reply,
        nicoRefused(400, "siteId must be specified when hasInstance is", { siteId: "a value is required" })
          .error,
      );
    const text = readOne(query.value, "query", z.string().max(256), "query");
    if (!text.ok) return sendNicoError(reply, text.error);
    const relation = readList(query.value, "includeRelation", z.enum(relations), "includeRelation value");
    if (!relation.ok) return sendNicoError(reply, relation.error);
    const withMetadata = metadataFor(reader, metadata.value);
    if (!withMetadata.ok) return sendNicoError(reply, withMetadata.error);

    const ids = query.value.get("id")?.filter((id) => uuid.safeParse(id).success) ?? null;
    // Whose hosts they are is not for another tenant to find out, not by a filter either.
    const tenantIds = reader.provider
      ? lists.tenantIds.value
      : (lists.tenantIds.value?.filter((id) => id === reader.tenantId) ?? null);
    const nothing =
      foreignFilters.some((filter) => query.value.has(filter)) ||
      missing.value === true ||
      typed.value === true;
    const filter = {
      ids,
      siteIds: lists.siteIds.value,
      tenantIds,
      statuses: statuses.value,
      hasInstance: hasInstance.value,
      text: text.value,
    };
    const { rows, total } = nothing
      ? { rows: [], total: 0 }
      : await readMachines(backend.database, filter, page.value);
    const states = await readRecentStates(backend.database, readableHistory(rows, reader), statesInView);
    reply.header("x-pagination", pagination(page.value, total));
    return reply.send(
      rows.map((row) =>
        machineView(
          row,
          states.filter((line) => line.hostId === row.id),
          reader,
          withMetadata.value,
        ),
      ),
    );
  });

  app.get(`${base}/:machineId`, async (request, reply) => {
    const { org, machineId } = z.object({ org: z.string(), machineId: z.string() }).parse(request.params);
    const member = await memberOf(backend, request, org);
    if (!member.ok) return sendNicoError(reply, member.error);
    const { actor } = member.value;
    const reader = readerOf(actor);
    const query = readQuery(request.query, ["includeRelation", "includeMetadata"]);
    if (!query.ok) return sendNicoError(reply, query.error);
    const metadata = readOne(query.value, "includeMetadata", flag, "includeMetadata value");
    if (!metadata.ok) return sendNicoError(reply, metadata.error);
    const withMetadata = metadataFor(reader, metadata.value);
    if (!withMetadata.ok) return sendNicoError(reply, withMetadata.error);
    if (!uuid.safeParse(machineId).success) return sendNicoError(reply, noMachine.error);
    const everywhere = reader.provider || privileged(actor);
    if (!everywhere && actor.tenantId === null) return sendNicoError(reply, noMachine.error);
    const filter = {
      ids: [machineId],
      ...(everywhere || actor.tenantId === null ? {} : { heldBy: actor.tenantId }),
    };
    const { rows } = await readMachines(backend.database, filter, {
      pageNumber: 1,
      pageSize: 1,
      orderBy: "ID_ASC",
    });
    const row = rows[0];
    if (row === undefined) return sendNicoError(reply, noMachine.error);
    return reply.send(
      machineView(
        row,
        await readRecentStates(backend.database, readableHistory(rows, reader), statesInView),
        reader,
        withMetadata.value,
      ),
    );
  });
}
