// The part of the self-audit that is not about the log: replays the states of hosts, looks at who is on them, and compares histories with their digests.
import type { PoolClient } from "pg";
import {
  endedPages,
  hostPages,
  instancePages,
  loggedEndPages,
  readSince,
  readTotals,
  transitionPages,
} from "@/server/db/audit-log/replay-rows";
import type { Findings } from "@/server/domain/audit-log/self-audit/findings";
import { compareHistory, lostReclamation } from "@/server/domain/audit-log/self-audit/histories";
import { replay, replayEnd } from "@/server/domain/audit-log/self-audit/replay";
import type { Replayed } from "@/server/domain/audit-log/self-audit/replay";
import type { Covered } from "@/server/domain/audit-log/self-audit/self-audit";
import {
  boundFindings,
  nextInstanceFindings,
  uncleanedFindings,
  withoutHistory,
} from "@/server/domain/audit-log/self-audit/tenancies";
import type { CheckPace } from "@/server/jobs/audit-log/check-pace";

interface Check {
  readonly client: PoolClient;
  readonly findings: Findings;
  readonly pace: CheckPace;
  readonly since: Date;
}

async function checkTransitions({ client, findings, pace, since }: Check) {
  let [hosts, transitions] = [0, 0];
  let before: Replayed | null = null;
  const end = (): void => findings.addAll(before === null ? [] : replayEnd(before));
  for await (const rows of transitionPages(client, since)) {
    for (const row of rows) {
      if (before?.last.hostId !== row.hostId) {
        end();
        before = null;
        hosts += 1;
      }
      const step: ReturnType<typeof replay> = replay(before, row);
      findings.addAll(step.findings);
      before = step.next;
    }
    transitions += rows.length;
    await pace.rest(rows.length);
  }
  end();
  return { hosts, transitions };
}

async function checkTenancies({ client, findings, pace }: Check) {
  let instances = 0;
  for await (const rows of hostPages(client)) {
    for (const host of rows) {
      if (!host.hasHistory) findings.add(withoutHistory(host.hostId, host.state));
      if (host.state === "Ready") findings.addAll([...boundFindings(host), ...uncleanedFindings(host)]);
    }
    await pace.rest(rows.length);
  }
  for await (const rows of instancePages(client)) {
    for (const next of rows) findings.addAll(nextInstanceFindings(next));
    instances += rows.length;
    await pace.rest(rows.length);
  }
  return { instances };
}

async function checkHistories({ client, findings, pace, since }: Check) {
  let [reclamations, digests, undigested] = [0, 0, 0];
  for await (const rows of endedPages(client, since)) {
    for (const row of rows) {
      const compared = compareHistory(row, row.beforeDigests);
      if (typeof compared === "object") findings.add(compared);
      if (compared === "undigested") undigested += 1;
      else if (compared !== "notDue") digests += 1;
    }
    reclamations += rows.length;
    await pace.rest(rows.length);
  }
  for await (const rows of loggedEndPages(client)) {
    for (const { id, known } of rows) if (!known) findings.add(lostReclamation(id));
    await pace.rest(0);
  }
  return { reclamations, digests, undigested };
}

/** Adds what it finds, and tells what it has looked at. */
export async function checkStates(client: PoolClient, findings: Findings, pace: CheckPace): Promise<Covered> {
  const check = { client, findings, pace, since: await readSince(client) };
  const totals = await readTotals(client);
  await pace.begin("transitions", totals.transitions);
  const hosts = await checkTransitions(check);
  await pace.begin("tenancies", totals.tenancies);
  const tenancies = await checkTenancies(check);
  await pace.begin("reclamations", totals.reclamations);
  return { ...hosts, ...tenancies, ...(await checkHistories(check)) };
}
