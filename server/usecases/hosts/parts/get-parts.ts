// The parts of a host by each source, what changed, and what people stated of it.
import { z } from "zod";
import type { HostPartsView } from "@/server/contract/hosts/parts";
import { storedComponents } from "@/server/domain/hosts/inventory/sku";
import {
  canaryResults,
  memoryKinds,
  memoryVerdicts,
} from "@/server/domain/hosts/device-memory/device-memory";
import { changeText } from "@/server/domain/hosts/parts/changes";
import { eccText } from "@/server/domain/hosts/parts/ecc-text";
import { partFault } from "@/server/domain/hosts/parts/fault";
import type { Part } from "@/server/domain/hosts/parts/part";
import { partsReport } from "@/server/domain/hosts/parts/part";
import { notCompared } from "@/server/domain/hosts/parts/sku-parts";
import { knownMembers } from "@/server/domain/stored";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { readPartChanges } from "@/server/usecases/hosts/parts/read-changes";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const withParts = z.object({ parts: knownMembers(partsReport) });
const mostStatements = 20;

async function readStatements(database: Database, hostId: string): Promise<HostPartsView["statements"]> {
  const rows = await database.partDisposition.findMany({
    where: { hostId },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: mostStatements,
  });
  const approvals = await database.approval.findMany({
    where: { id: { in: rows.map(({ approvalId }) => approvalId) } },
    select: { id: true, decision: true, decidedByName: true, voidedAt: true },
  });
  const byId = new Map(approvals.map((approval) => [approval.id, approval]));
  return rows.map(({ id, words, reason, byName, at, approvalId, takenAt }) => {
    const approval = byId.get(approvalId);
    const signed =
      approval?.decision === "approved" ? "signed" : approval?.decision === "rejected" ? "rejected" : "waits";
    return {
      ...{ id, words, reason, by: byName, at },
      status: takenAt !== null ? "taken" : approval?.voidedAt != null ? "void" : signed,
      decidedBy: approval?.decidedByName ?? null,
    };
  });
}

const provenMemory = z.object({
  deviceMemory: z.array(
    z.object({
      slot: z.string(),
      kind: z.enum(memoryKinds),
      verdict: z.enum(memoryVerdicts),
      why: z.string(),
      canary: z.enum(canaryResults).optional(),
    }),
  ),
});
type Proven = z.infer<typeof provenMemory>["deviceMemory"];

/** The newest evaluation of the gate of devices' memory, and what it says of each device. */
async function readMemoryGate(
  database: Database,
  hostId: string,
): Promise<{ readonly gate: HostPartsView["memoryGate"]; readonly devices: Proven }> {
  const row = await database.gate.findFirst({
    where: { gate: "deviceMemoryCleared", reclamation: { hostId } },
    orderBy: [{ evaluatedAt: "desc" }, { reclamationId: "desc" }],
    include: { reclamation: { select: { id: true, number: true } } },
  });
  if (row === null) return { gate: null, devices: [] };
  const { gate, status, reason, evaluatedAt, reclamation, evidence } = row;
  return {
    gate: {
      ...{ gate, status, reason, at: evaluatedAt },
      reclamationId: reclamation.id,
      reclamation: String(reclamation.number),
    },
    devices: provenMemory.safeParse(evidence).data?.deviceMemory ?? [],
  };
}

/** Slots are the agent's, so nothing is said of a BMC's parts. */
function clearedOf(
  source: string,
  { kind, slot }: Pick<Part, "kind" | "slot">,
  devices: Proven,
): HostPartsView["sources"][number]["found"][number]["cleared"] {
  if (source !== "agent") return null;
  const found = devices.find((each) => each.kind === kind && each.slot === slot);
  return found === undefined
    ? null
    : { verdict: found.verdict, why: found.why, canary: found.canary ?? null };
}

export async function getParts(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string },
): Promise<Outcome<HostPartsView>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const { database } = backend;
  const hostId = found.value.id;
  const [rows, changed, statements, host, memory] = await Promise.all([
    database.hostInventory.findMany({ where: { hostId }, orderBy: { source: "asc" } }),
    readPartChanges(database, hostId),
    readStatements(database, hostId),
    database.host.findUnique({ where: { id: hostId }, select: { sku: { select: { components: true } } } }),
    readMemoryGate(database, hostId),
  ]);
  const sku = storedComponents.safeParse(host?.sku?.components);
  return done({
    sources: rows.flatMap(({ source, collectedAt, body }) => {
      const report = withParts.safeParse(body).data?.parts;
      if (report === undefined) return [];
      const { told, untold } = report;
      const parts = report.found.map((each) => ({
        ...each,
        trouble: partFault(each),
        errors: eccText(each),
        cleared: clearedOf(source, each, memory.devices),
      }));
      return [{ source, collectedAt, told, untold, found: parts, boards: report.boards ?? [] }];
    }),
    memoryGate: memory.gate,
    knownAt: changed.knownAt,
    changes: changed.changes.map((change) => ({ ...change, words: changeText(change) })),
    evidence: changed.evidence,
    statements,
    notCompared: sku.success ? [...notCompared(sku.data.parts)] : null,
  });
}
