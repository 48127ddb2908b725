// The head of a host's page: what it is doing, since when, what it waits for, what to check next, and what may be asked of it.
import { seenCertificate } from "@/server/domain/hardware/certificate";
import { isFake } from "@/server/domain/fake/fake-type";
import { gateNames } from "@/server/domain/gates/gate-names";
import type { MaintenanceFacts } from "@/server/domain/hosts/action-refusal";
import { cleaningActionNames, hostActionNames } from "@/server/domain/hosts/host-actions";
import { stages } from "@/server/domain/hosts/stages";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";
import type { HostDetail } from "@/server/contract/answers/hosts";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { toCleaningFacts, toEraseFacts } from "@/server/usecases/hosts/host-facts";
import {
  offeredActions,
  withCertificate,
  withoutDisposition,
} from "@/server/usecases/hosts/one/offered-actions";
import { readHostRecord } from "@/server/usecases/hosts/one/read-host-record";
import type { HostRecord } from "@/server/usecases/hosts/one/read-host-record";
import { inspectionOf, provenGates, situationOf, untouchedOf } from "@/server/usecases/hosts/one/situation";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { toReclamationHead } from "@/server/usecases/reclamations/reclamation-head";

/** Throws on a state that this version does not know. */
export async function getHost(
  backend: Backend,
  actor: Actor,
  query: { readonly host: string },
): Promise<Outcome<HostDetail>> {
  const found = await findReadableHost(backend, actor, query.host);
  if (!found.ok) return found;
  const record = await readHostRecord(backend.database, found.value);
  return record === null ? notFound("host", query.host) : done(hostDetail(record, actor, new Date()));
}

/** What the answer says, from what was read. Pure. */
function hostDetail(record: HostRecord, actor: Actor, now: Date): HostDetail {
  const { host, run, state, latest, open, instance, tenants } = record;
  return {
    id: host.id,
    name: host.name,
    fake: isFake(host),
    manufacturer: host.manufacturer,
    model: host.model,
    serial: host.serial,
    systemUuid: host.systemUuid,
    bmcAddress: host.bmcAddress,
    bmcUsername: host.bmcUsername,
    certificate: certificateOf(host),
    powerState: host.powerState,
    powerReadAt: host.powerReadAt,
    site: host.site.name,
    rack: host.rack,
    slot: host.slot,
    segment: host.networkSegment,
    powerDomain: host.powerDomain,
    sku: host.sku?.name ?? null,
    ...situationOf({ name: host.name, state, run, open, isAborting: record.asked.abort !== null, now }),
    untouched: untouchedOf(record.statement, latest),
    reclamation: latest === null ? null : toReclamationHead(latest, tenants),
    instance: instance && {
      id: instance.id,
      name: instance.name,
      tenantName: instance.tenant.name,
      releaseRequestedAt: instance.releaseRequestedAt,
    },
    debts: record.debts.map((debt) => ({
      id: debt.id,
      since: debt.createdAt,
      drives: debt.driveSerials.length,
      serials: debt.driveSerials,
      instanceId: debt.instanceId,
      tenantName: debt.tenantId === null ? null : (tenants.get(debt.tenantId) ?? null),
    })),
    ...actionsOf(record, actor),
    unaccounted: record.drives,
    inspection: inspectionOf(state, run.context),
    queue: record.queue,
    asked: record.asked,
    stepEnds: record.stepEnds,
    traits: host.traits,
    automatedClean: host.automatedClean,
    stages:
      latest?.kind === "manualCleaning"
        ? []
        : stages(record.entered, latest?.endedAt ?? null, latest?.instanceId != null),
    counts: {
      gatesHold: provenGates(record.gates),
      gates: gateNames.length,
      reclamations: record.reclamations,
    },
    stateVersion: String(run.stateVersion),
  };
}

function certificateOf({
  bmcCertificate,
  certificateSeen,
}: Pick<HostRecord["host"], "bmcCertificate" | "certificateSeen">): HostDetail["certificate"] {
  const seen = seenCertificate.safeParse(certificateSeen).data;
  if (seen === undefined) return null;
  const pinned = bmcCertificate === seen.sha256;
  return { ...seen, pinned, changed: bmcCertificate !== null && !pinned };
}

/** What may be asked of the host by this person. */
function actionsOf(
  { host, run, state, open, instance, drives, facts: read }: HostRecord,
  actor: Actor,
): Pick<HostDetail, "actions" | "cleaningActions"> {
  const facts: IntentFacts = {
    state,
    instanceOpen: instance !== null,
    releaseRequested: instance?.releaseRequestedAt != null,
    reclamationOpen: open !== null,
    allocatable: run.allocatable,
    cleaning: toCleaningFacts(state, read.cleaning),
    ...toEraseFacts(read.erase),
    retired: host.retired,
  };
  const maintenance: MaintenanceFacts = {
    on: run.maintenance,
    by: run.maintenanceBy,
    touchUncovered: run.touchUncovered,
  };
  const names = hostActionNames.filter((name) => name !== "skipEraseWait" || facts.erasing);
  const actions = offeredActions(names, actor.role, facts, maintenance);
  return {
    actions: withCertificate(
      drives.length === 0 ? withoutDisposition(actions) : actions,
      certificateOf(host),
    ),
    cleaningActions: offeredActions(cleaningActionNames, actor.role, facts, maintenance),
  };
}
