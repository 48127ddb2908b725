// Prepares the benchmark's hosts: onboarded through the real path, each with an instance claimed by its tenant.
import { readFileSync } from "node:fs";
import type { Client } from "pg";
import { z } from "zod";
import { call } from "@/bench/call";
import type { Plan } from "@/bench/release/plan";
import { until } from "@/bench/program";
import type { BenchSystem } from "@/bench/system";

const logins = z.array(z.object({ role: z.string(), org: z.string().nullable(), token: z.string() }));

export type Logins = z.infer<typeof logins>;

export const readLogins = (demoLogins: string): Logins =>
  logins.parse(JSON.parse(readFileSync(demoLogins, "utf8")));

/** A user who may read every host. Throws if the seed has created no operator. */
export function operatorOf(demoLogins: string): Logins[number] {
  const operator = readLogins(demoLogins).find(({ role }) => role === "operator");
  if (operator === undefined) throw new Error("the seed has made no operator");
  return operator;
}

/** The token of someone who may release an org's instances: its own admin, or else the operator. */
export function tokenFor(known: Logins, org: string): string {
  const found =
    known.find((login) => login.org === org && login.role !== "auditor") ??
    known.find((login) => login.role === "operator");
  if (found === undefined) throw new Error(`the seed has made nobody who may release instances of ${org}`);
  return found.token;
}

/**
 * Sets the plan's policy at every site; it applies to reclamations that start from now on. A setting that this release does not have (`--guard` also runs
 * earlier ones) is left out.
 */
export async function setPolicy(client: Client, plan: Plan): Promise<void> {
  await client.query(
    `WITH next AS (UPDATE site SET policy_version = policy_version + 1 RETURNING id, policy_version)
     INSERT INTO site_policy (site_id, version, body)
     SELECT n.id, n.policy_version, (SELECT jsonb_object_agg(f.key, f.value) FROM jsonb_each($1::jsonb) f WHERE p.body ? f.key)
     FROM next n JOIN site_policy p ON p.site_id = n.id AND p.version = n.policy_version - 1`,
    [JSON.stringify(plan.fullPolicy)],
  );
}

const stateCounts = z.array(z.object({ state: z.string(), hosts: z.coerce.number() }));

/** Waits until every host is in one of the states; the error says where they are. */
export async function untilIn(
  client: Client,
  states: readonly string[],
  hosts: number,
  limitMs: number,
  system: BenchSystem,
  signal: AbortSignal,
): Promise<void> {
  await until(
    `all ${hosts} hosts in ${states.join(" or ")}`,
    limitMs,
    200,
    system.programs,
    signal,
    async () => {
      const { rows } = await client.query(
        "SELECT state, count(*) AS hosts FROM host_run GROUP BY state ORDER BY 2 DESC",
      );
      const counts = stateCounts.parse(rows);
      const there = counts
        .filter(({ state }) => states.includes(state))
        .reduce((sum, row) => sum + row.hosts, 0);
      return there >= hosts
        ? true
        : `hosts are in ${counts.map((row) => `${row.state}: ${row.hosts}`).join(", ") || "no state"}`;
    },
  );
}

const claimsAtOnce = 8;

/** Claims every Ready host for a tenant, over HTTP. @param prefix of the instance names, which must be unique */
export async function claimReady(client: Client, system: BenchSystem, prefix: string): Promise<void> {
  const tenantAdmin = readLogins(system.demoLogins).find(({ role }) => role === "tenant-admin");
  if (tenantAdmin === undefined) throw new Error("the seed has made no tenant admin");
  const { webUrl } = system;
  const { rows } = await client.query<{ site_id: string }>(
    "SELECT site_id::text FROM host_run WHERE state = 'Ready' AND allocatable ORDER BY host_id",
  );
  const waiting = rows.map(({ site_id: siteId }, index) => ({
    name: `${prefix}-${String(index + 1).padStart(5, "0")}`,
    wanted: { siteId },
  }));
  await Promise.all(
    Array.from({ length: claimsAtOnce }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await call({ webUrl, token: tenantAdmin.token }, "mutation", "instances.create", next);
    }),
  );
}

export interface OpenInstance {
  readonly id: string;
  readonly org: string;
}

/** Takes a running system with seeded hosts to one where every host is in use, under the plan's policy. Returns the instances. */
export async function prepareFleet(
  client: Client,
  system: BenchSystem,
  plan: Plan,
  hosts: number,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<readonly OpenInstance[]> {
  await untilIn(
    client,
    ["Ready", "Assigned/Ready"],
    hosts,
    plan.limits.onboardSeconds * 1000,
    system,
    signal,
  );
  say(`${hosts} hosts are onboarded; claiming them`);
  // Now, and not right before the measurement, because it makes every session replan its statements.
  await client.query("ANALYZE");
  await claimReady(client, system, "bench");
  await setPolicy(client, plan);
  return untilAssigned(client, system, plan, hosts, signal);
}

/** Waits until this many hosts are in use. Returns the instances. */
export async function untilAssigned(
  client: Client,
  system: BenchSystem,
  plan: Plan,
  hosts: number,
  signal: AbortSignal,
): Promise<readonly OpenInstance[]> {
  await untilIn(client, ["Assigned/Ready"], hosts, plan.limits.assignSeconds * 1000, system, signal);
  const { rows } = await client.query<OpenInstance>(
    "SELECT n.id::text, t.org FROM instance n JOIN tenant t ON t.id = n.tenant_id WHERE n.ended_at IS NULL ORDER BY n.created_at, n.id",
  );
  return rows;
}
