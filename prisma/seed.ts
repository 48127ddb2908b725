// The seed: people, a site with its policy, and the fleet, brought up by the same acts that people use. Can be run any number of times.
import { randomUUID } from "node:crypto";
import { ConfigError, loadSeedConfig } from "@/server/config";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secret-box";
import type { Role } from "@/server/domain/access/roles";
import { knownPerson, personColumns } from "@/server/usecases/access/read-actor";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { giveInstances, onboard } from "./seed/bring-up";
import { enrollFleet, listFleet } from "./seed/fleet";
import { seedPeople } from "./seed/people";
import { seedSite } from "./seed/site";

const say = (line: string): void => {
  process.stdout.write(`    ${line}\n`);
};

async function main(): Promise<void> {
  const config = loadSeedConfig(process.env);
  const database = createDatabase(config.databaseUrl, { max: 10, applicationName: "reclaim seed" });
  try {
    const backend: Backend = { database, secrets: createSecretBox(config.encryptionKey) };
    const tenants = await seedPeople(database, config.demoLoginsFile);
    const siteId = await seedSite(database, backend.secrets, config.simulator);
    if (config.simulator === undefined) return;
    const request: Request = { requestId: `seed-${randomUUID()}`, address: null };
    const operator = await actorOf(backend, "operator", null);
    const admin = await actorOf(backend, "provider-admin", null);
    const listed = await listFleet(config.simulator.port, config.simulator.networkToken, 60_000);
    const fresh = await enrollFleet(backend, admin, request, siteId, config.simulator.bmcPassword, listed, config.baselines);
    if (fresh > 0) say(`enrolled ${fresh} hosts; onboarding cleans each of them`);
    // Both go on where an interrupted seed has stopped, and leave alone what is up already.
    const job = { backend, operator, request, siteId, serials: listed.map(({ serial }) => serial), say, patienceMs: 120_000 };
    await onboard(job);
    await giveInstances(job, tenants, (role, org) => actorOf(backend, role, org));
  } finally {
    await database.$disconnect();
  }
}

/** The demo's person of a role, as an actor. */
async function actorOf(backend: Backend, role: Role, org: string | null): Promise<Actor> {
  const row = await backend.database.person.findFirst({ where: { role, tenant: org === null ? null : { org } }, select: personColumns, orderBy: { createdAt: "asc" } });
  const actor = row === null ? null : knownPerson(row);
  if (actor === null) throw new Error(`the demo has no ${role}`);
  return { ...actor.actor, kind: "token" };
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = error instanceof ConfigError ? 78 : 1;
});
