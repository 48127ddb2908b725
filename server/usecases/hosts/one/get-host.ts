// The head of a host's page: what it is doing, since when, what it waits for, what to check next, and what may be asked of it.
import { z } from "zod";
import { onlySystem } from "@/server/domain/hardware/bmc-system";
import { isAccepted, seenCertificate } from "@/server/domain/hardware/certificate";
import { bmcTrust } from "@/server/domain/sites/authorities";
import { leavingOf } from "@/server/usecases/hosts/decommission/leaving-of";
import { healthLevels, formatHealth } from "@/server/domain/repair/health/fold";
import { acts, readActing } from "@/server/domain/repair/health/acting";
import { adviceOf, exceptedText } from "@/server/domain/hosts/advice/advice";
import { ticketToReplace } from "@/server/domain/hosts/advice/replace-drive";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { hostStanding } from "@/server/domain/assurance/standing";
import type { MaintenanceFacts } from "@/server/domain/hosts/action-refusal";
import { cleaningActionNames, hostActionNames } from "@/server/domain/hosts/host-actions";
import { stages } from "@/server/domain/hosts/stages";
import { knownBootSettings, type BootSettings } from "@/server/domain/hosts/boot-settings";
import { networkContext } from "@/server/domain/lifecycle/context";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";
import { isFailed, waitsForNetwork } from "@/server/domain/lifecycle/states";
import type { HostDetail } from "@/server/contract/hosts/hosts-answers";
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
import { bmcAnswers, failureOf } from "@/server/usecases/hosts/one/failure-of";
import { countGates, inspectionOf, situationOf, untouchedOf } from "@/server/usecases/hosts/one/situation";
import { readyWatchOf } from "@/server/usecases/hosts/one/ready-watch-of";
import { readLabels } from "@/server/usecases/instances/labels";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { toReclamationHead } from "@/server/usecases/reclamations/reclamation-head";

const withBoot = z.object({ bootSettings: z.unknown().optional() });
const withExceptions = z.object({ exceptedUntil: z.iso.datetime().optional() });
const awaited = z.object({ network: networkContext.nullable() });

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

/** Builds the answer from what was read. Pure. */
function hostDetail(record: HostRecord, actor: Actor, now: Date): HostDetail {
  const { host, run, state, latest, instance, tenants } = record;
  return {
    id: host.id,
    name: host.name,
    fake: isFake(host),
    manufacturer: host.manufacturer,
    model: host.model,
    serial: host.serial,
    systemUuid: host.systemUuid,
    ...bmcOf(record),
    boot: bootOf(run.context),
    certificate: certificateOf(host),
    network: networkOf(record),
    powerState: host.powerState,
    powerReadAt: host.powerReadAt,
    bmcAnswers: bmcAnswers(record),
    site: host.site.name,
    rack: host.rack,
    slot: host.slot,
    segment: host.networkSegment,
    powerDomain: host.powerDomain,
    labels: readLabels(host.labels),
    sku: host.sku?.name ?? null,
    ...sayingOf(record, now),
    untouched: untouchedOf(record.statement, latest),
    readyWatch: isFake(host) || state !== "Ready" ? null : readyWatchOf(record.watch, run.reclamationId),
    reclamation: latest === null ? null : toReclamationHead(latest, tenants),
    leaving: leavingOf(run.context),
    earlier: record.earlier,
    instance: instance && {
      id: instance.id,
      name: instance.name,
      tenantName: instance.tenant.name,
      releaseRequestedAt: instance.releaseRequestedAt,
    },
    debts: debtsOf(record),
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
    health: healthOf(record),
    counts: countsOf(record),
    stateVersion: String(run.stateVersion),
  };
}

/** What the host does, or what went wrong. `checkNext` knows the failure, if its causes are known, and what was tried. */
function sayingOf({ host, state, run, open, asked, ...record }: HostRecord, now: Date) {
  const standing = hostStanding(isFake(host), record.latest);
  const { eraseUntilMs } = toEraseFacts(record.facts.erase);
  const situation = situationOf({
    ...{ name: host.name, state, run, open, eraseUntilMs, now },
    isAborting: asked.abort !== null,
    standing,
  });
  const failure = failureOf(record.failure, host, eraseUntilMs);
  const usual = failure?.checkNext ?? situation.checkNext;
  const advice = isFailed(state) ? adviceOf(usual, record.failure?.causes[0] ?? null, record.tried) : null;
  const checkNext = advice?.text ?? usual;
  const replace = advice?.replace ?? [];
  return {
    ...situation,
    waitsFor:
      failure !== null
        ? null
        : // What a gate did not need in the end, or what is kept out, is not in allocation by an exception.
          situation.allocatable && exceptedUntilOf(run.context) !== null
          ? (exceptedText(record.tried.exceptions) ?? situation.waitsFor)
          : situation.waitsFor,
    standing,
    failure: failure === null ? null : { ...failure, checkNext: checkNext ?? failure.checkNext },
    exceptedUntil: exceptedUntilOf(run.context),
    checkNext,
    next: [...(advice?.links ?? []), ...situation.next],
    advised: advice?.act ?? null,
    replaceDrive:
      replace.length === 0 ? null : ticketToReplace(host.name, replace, failure?.says ?? [situation.says]),
  };
}

const debtsOf = ({ debts, tenants }: Pick<HostRecord, "debts" | "tenants">): HostDetail["debts"] =>
  debts.map((debt) => ({
    id: debt.id,
    since: debt.createdAt,
    drives: debt.driveSerials.length,
    serials: debt.driveSerials,
    instanceId: debt.instanceId,
    tenantName: debt.tenantId === null ? null : (tenants.get(debt.tenantId) ?? null),
  }));

/** The host's overall health, in a word. */
function healthOf({ host: { health }, run }: HostRecord): HostDetail["health"] {
  const known = run.health === null ? null : health;
  const words = formatHealth({
    maintenance: run.maintenance,
    health: known && {
      level: healthLevels.find((level) => level === known.level) ?? "healthy",
      alerts: known.alerts,
      firstAlert: known.firstAlert,
      replaced: known.replacedBy !== null,
    },
  });
  return { ...words, alerts: known?.alerts ?? 0 };
}

const countsOf = ({ gates, reclamations }: HostRecord): HostDetail["counts"] => ({
  ...(gates === null ? { gatesHold: 0, gates: 0, gateWords: "" } : countGates(gates)),
  reclamations,
});

function certificateOf({
  bmcCertificate,
  certificateSeen,
  site,
}: Pick<HostRecord["host"], "bmcCertificate" | "certificateSeen" | "site">): HostDetail["certificate"] {
  const seen = seenCertificate.safeParse(certificateSeen).data;
  if (seen === undefined) return null;
  const pinned = bmcCertificate === seen.sha256;
  const accepted = isAccepted(bmcCertificate, bmcTrust.parse(site.bmcTrust), seen);
  return { ...seen, pinned, changed: bmcCertificate !== null && !pinned, accepted };
}

const found = z.object({ system: z.string() });

/** Address of the BMC, which system behind it the host is, and the other hosts there. */
function bmcOf({
  host: { bmcAddress, bmcSystem, bmcUsername, bmcLinks },
  others,
}: Pick<HostRecord, "host" | "others">): Pick<
  HostDetail,
  "bmcAddress" | "bmcSystem" | "bmcOthers" | "bmcUsername"
> {
  const system = bmcSystem === onlySystem ? (found.safeParse(bmcLinks).data?.system ?? null) : bmcSystem;
  return { bmcAddress, bmcSystem: system, bmcOthers: others, bmcUsername };
}

const bootOf = (context: unknown): BootSettings | null =>
  knownBootSettings(withBoot.safeParse(context).data?.bootSettings);

function exceptedUntilOf(context: unknown): Date | null {
  const until = withExceptions.safeParse(context).data?.exceptedUntil;
  return until === undefined ? null : new Date(until);
}

/** From what the controller stored about its request. */
function networkOf({ state, run }: Pick<HostRecord, "state" | "run">): HostDetail["network"] {
  const found = waitsForNetwork.has(state) ? awaited.safeParse(run.context).data?.network : null;
  if (found === null || found === undefined) return null;
  const { wanted, askedAt, retryAt, failures } = found;
  const at = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));
  return {
    wanted: wanted.network,
    version: wanted.version,
    acceptedAt: at(askedAt),
    failures,
    retryAt: at(retryAt),
    answer: failures > 0 ? run.lastError : null,
  };
}

/** What this person may ask of the host. */
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
    protected: host.protected,
    deletionPrevented: acts(readActing(run.health), "PreventInstanceDeletion"),
    onlineRepair: readActing(run.health)?.onlineRepair === true,
    leasedTo: read.leased_to,
    gatesMayPass: read.gates_may_pass,
  };
  const maintenance: MaintenanceFacts = {
    on: run.maintenance,
    by: run.maintenanceBy,
    touchUncovered: run.touchUncovered,
  };
  const names = hostActionNames.filter(
    (name) =>
      (name !== "skipEraseWait" || facts.erasing) && (name !== "askNetwork" || waitsForNetwork.has(state)),
  );
  const actions = offeredActions(names, actor.role, facts, maintenance);
  return {
    actions: withCertificate(
      drives.length === 0 ? withoutDisposition(actions) : actions,
      certificateOf(host),
      bmcTrust.parse(host.site.bmcTrust),
    ),
    cleaningActions: offeredActions(cleaningActionNames, actor.role, facts, maintenance),
  };
}
