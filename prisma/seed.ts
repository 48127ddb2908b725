// The seed: people, a site with its policy, and the fleet, brought up by the same acts that people use. Can be run any number of times.
// `check` says what it would do, as JSON, and changes nothing; `begin` makes people and site only.
import { randomUUID } from "node:crypto";
import { loadSeedConfig } from "@/server/config";
import type { SeedConfig } from "@/server/config";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import type { Role } from "@/server/domain/access/roles";
import { badSettings, startError } from "@/server/start-errors";
import { knownPerson, personColumns } from "@/server/usecases/access/read-actor";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { begin, NotSeededError } from "@/prisma/seed/begin";
import { giveInstances, onboard } from "@/prisma/seed/bring-up";
import { check } from "@/prisma/seed/check";
import { enrollFleet, listFleet } from "@/prisma/seed/fleet";
import { trustComponents } from "@/prisma/seed/site";

const say = (line: string): void => {
  process.stdout.write(`    ${line}\n`);
};

async function main(part: string | undefined): Promise<void> {
  const config = loadSeedConfig(process.env);
  if (part !== "check") return seed(config, part === "begin");
  const seeding = await check(config);
  if (seeding.kind === "refuse") throw new NotSeededError(seeding.message);
  process.stdout.write(`${JSON.stringify(seeding)}\n`);
}

async function seed(config: SeedConfig, onlyBegin: boolean): Promise<void> {
  const database = createDatabase(config.databaseUrl, { max: 10, applicationName: "reclaim seed" });
  try {
    const backend: Backend = { database, secrets: createSecretBox(config.encryptionKey) };
    const begun = await begin(database, backend.secrets, config);
    if (begun === null) return say("the database has people and sites of its own: nothing was seeded");
    if (begun.lost.length > 0 && onlyBegin) {
      say(
        `${config.demoLoginsFile} has no login for ${begun.lost.join(", ")}. Put the file back, or give them new passwords and tokens:  npm start -- --new-logins`,
      );
    }
    if (config.simulator === undefined || onlyBegin) return;
    const request: Request = { requestId: `seed-${randomUUID()}`, address: null };
    const operator = await actorOf(backend, "operator", null);
    const admin = await actorOf(backend, "provider-admin", null);
    const listed = await listFleet(config.simulator.port, config.simulator.networkToken, 60_000);
    await trustComponents(database, begun.siteId, listed.componentAuthority);
    const fresh = await enrollFleet(
      backend,
      admin,
      request,
      begun.siteId,
      config.simulator.bmcPassword,
      listed.hosts,
      config.baselines,
    );
    if (fresh > 0) say(`enrolled ${fresh} hosts; onboarding cleans each of them`);
    // Both go on where an interrupted seed has stopped, and leave alone what is up already.
    const job = {
      backend,
      operator,
      request,
      siteId: begun.siteId,
      serials: listed.hosts.map(({ serial }) => serial),
      say,
      patienceMs: 120_000,
    };
    await onboard(job);
    await giveInstances(job, begun.tenants, (role, org) => actorOf(backend, role, org));
  } finally {
    await database.$disconnect();
  }
}

/** The demo's person of a role, as an actor. */
async function actorOf(backend: Backend, role: Role, org: string | null): Promise<Actor> {
  const row = await backend.database.person.findFirst({
    where: { role, tenant: org === null ? null : { org } },
    select: personColumns,
    orderBy: { createdAt: "asc" },
  });
  const actor = row === null ? null : knownPerson(row);
  if (actor === null) throw new Error(`the demo has no ${role}`);
  return { ...actor.actor, kind: "token" };
}

main(process.argv[2]).catch((error: unknown) => {
  const { message, code } =
    error instanceof NotSeededError
      ? { message: error.message, code: badSettings }
      : startError(error, process.env);
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
});
