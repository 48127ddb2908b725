// Lists that exist both in the database and in the code agree: CHECK constraints, triggers, and the number of gates that a trigger counts.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { createTestDatabase } from "@/server/db/testing/test-database";
import { bmcResetPhases } from "@/server/domain/hardware/bmc-reset";
import { gatesCounted, sourceOf } from "@/server/db/testing/ready-trigger";
import type { TestDatabase } from "@/server/db/testing/test-database";
import { standings } from "@/server/domain/assurance/standing";
import { confirmMethods } from "@/server/domain/access/passkeys";
import { tokenScopes } from "@/server/domain/access/token-scopes";
import { bundleStates, measurementStates } from "@/server/domain/attestation/measurement";
import { acceptances, identityProblems } from "@/server/domain/attestation/verdict";
import { approvalKinds, decisions } from "@/server/domain/assurance/approvals/approval";
import { noticeEnds, noticeKinds } from "@/server/domain/break-fix/notice";
import {
  ticketAudiences,
  ticketAuthors,
  ticketOrigins,
  ticketStates,
} from "@/server/domain/break-fix/ticket";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import type { DemoMarker } from "@/server/domain/database/seeding";
import {
  gateNames,
  gateStatuses,
  gateTable,
  laterGates,
} from "@/server/domain/reclamations/gates/gate-names";
import { healthLevels } from "@/server/domain/repair/health/fold";
import { reportModes } from "@/server/domain/repair/health/report";
import { allStates } from "@/server/domain/lifecycle/states";
import { leaseEnds } from "@/server/domain/repair/leases/lease";
import { repairOutcomes } from "@/server/domain/repair/repairs";
import { bmcTrusts } from "@/server/domain/sites/authorities";
import { nameKinds, nameSources } from "@/server/domain/hosts/names/names";
import { dispositionKinds } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { goneWays } from "@/server/contract/hosts/leftovers";
import type { StoredRollout } from "@/server/usecases/hosts/rollouts/rollout-rows";
import { imageStatuses } from "@/server/contract/cleaning/images-answers";

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  client.on("error", () => undefined); // a pending query fails too
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const textIn = (sql: string): string[] => [...sql.matchAll(/'([^']*)'/g)].map(([, word]) => word ?? "");

/** Columns that a CHECK restricts to a list, with the list in the code. */
const lists: Readonly<Record<string, readonly string[]>> = {
  "agent_image.status": imageStatuses,
  "api_token.scope": tokenScopes,
  "approval.decided_with": confirmMethods,
  "approval.decision": decisions,
  "approval.kind": approvalKinds,
  "database_state.demo": ["people", "fleet"] satisfies DemoMarker[],
  "drive_disposition.kind": dispositionKinds,
  "gate_exception.gate": gateNames.filter((gate) => gateTable[gate].exception !== "never"),
  "evidence_blob.place": ["database", "s3"] satisfies BlobStore["place"][],
  "firmware_rollout.outcome": ["finished", "aborted"] satisfies NonNullable<StoredRollout["outcome"]>[],
  "gone_host.how": goneWays,
  "health_change.kind": ["set", "removed", "silent"],
  "health_change.mode": reportModes,
  "health_report.mode": reportModes,
  "host_health.level": healthLevels,
  "host_name.kind": nameKinds,
  "host_name.source": nameSources,
  "attestation_bundle.state": bundleStates,
  "host_measurement.state": measurementStates,
  "host_tpm.accepted_as": acceptances,
  "host_tpm.problem_kind": identityProblems,
  "passkey_challenge.confirmed_with": confirmMethods,
  "reclamation.standing": standings,
  "repair_lease.how": leaseEnds,
  "repair_lease.outcome": repairOutcomes,
  "security_event.others": ["addresses", "hosts"],
  "site.bmc_trust": bmcTrusts,
  "step_override.scope": overrideScopes,
  "bmc_reset.phase": bmcResetPhases,
  "capacity_event.direction": ["added", "removed"],
  "notice.ended": noticeEnds,
  "notice.kind": noticeKinds,
  "ticket.origin": ticketOrigins,
  "ticket.state": ticketStates,
  "ticket_update.audience": ticketAudiences,
  "ticket_update.author": ticketAuthors,
};

it("each CHECK of a list has the words of the code, and each such list is known here", async () => {
  const { rows } = await client.query<{ of: string; definition: string }>(
    "SELECT conrelid::regclass::text AS of, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace",
  );
  const found = rows.flatMap(({ of, definition }) =>
    [...definition.matchAll(/\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)/g)].map(([, column, words]) => [
      `${of}.${column ?? ""}`,
      textIn(words ?? "").sort(),
    ]),
  );
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(lists).map(([column, words]) => [column, [...words].sort()])),
  );
});

it("triggers on a host's state name states of the code", async () => {
  const { rows } = await client.query<{ definition: string }>(
    "SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = 'host_run'::regclass",
  );
  const named = [...new Set(rows.flatMap(({ definition }) => textIn(definition)))];
  expect(named).toContain("Ready");
  expect(named.filter((word) => !allStates().some((state) => state === word))).toEqual([]);
});

it("the trigger before Ready lets the statuses of the code pass", async () => {
  const { rows } = await client.query<{ source: string }>(sourceOf("ready_is_proven"));
  const source = rows[0]?.source ?? "";
  const passing = gateStatuses.filter((status) => source.includes(`'${status}'`));
  expect(passing).toEqual(gateStatuses.filter((status) => status !== "unsatisfied"));
  const statuses = [...source.matchAll(/g\.status (?:=|IN) \(?((?:'[^']*'(?:, )?)+)/g)].flatMap(([, words]) =>
    textIn(words ?? ""),
  );
  expect(statuses.filter((word) => !gateStatuses.some((status) => status === word))).toEqual([]);
});

it.each(["ready_is_proven", "recorded_standing"] as const)(
  "%s counts the gates of the code",
  async (name) => {
    const { rows } = await client.query<{ source: string }>(sourceOf(name));
    const { count, without } = gatesCounted(rows[0]?.source ?? "");
    expect([count, without]).toEqual([gateNames.length - laterGates.size, [...laterGates]]);
  },
);
