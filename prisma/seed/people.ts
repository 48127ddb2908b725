// The demo's tenants and people, one of each role, and the file with their logins.
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { Reader, Transaction } from "@/server/db/prisma";
import { hashPassword } from "@/server/db/secrets/passwords";
import { newApiToken, tokenHash } from "@/server/domain/access/tokens";
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";

const tenants = [
  { org: "acme", name: "Acme", targeted: false, share: 0.15 },
  { org: "vela", name: "Vela Bio", targeted: false, share: 0.075 },
  { org: "fixit", name: "Fixit Repair", targeted: true, share: 0.025 },
] as const;

/** `share` of the fleet that each tenant gets instances on. */
export type DemoTenant = (typeof tenants)[number] & { readonly id: string };

interface DemoPerson {
  readonly role: Role;
  readonly name: string;
  readonly email: string;
  readonly org: string | null;
}

const people: readonly DemoPerson[] = [
  { role: "operator", name: "Jonas Lindqvist", email: "operator@reclaim.example", org: null },
  { role: "provider-admin", name: "Mara Okafor", email: "admin@reclaim.example", org: null },
  { role: "tenant-admin", name: "Ada Brandt", email: "admin@acme.example", org: "acme" },
  { role: "repair-tenant-admin", name: "Tomas Reyes", email: "admin@fixit.example", org: "fixit" },
  { role: "auditor", name: "Ines Moreau", email: "auditor@reclaim.example", org: null },
  { role: "tenant-admin", name: "Priya Nair", email: "admin@vela.example", org: "vela" },
];

/** What the provider's people have in the place of an org. */
const providerOrg = "provider";

const login = z.strictObject({
  role: z.enum(roles),
  org: z.string(),
  email: z.string(),
  password: z.string(),
  token: z.string(),
});
const logins = z.array(login);
type Login = z.infer<typeof login>;

/** The demo's people as a start found them, and what is to be written. */
export interface Logins {
  /** Of people that are to be made, with the hash of their password, which takes a while to compute. */
  readonly made: readonly {
    readonly person: DemoPerson;
    readonly entry: Login;
    readonly passwordHash: string;
  }[];
  /** The whole file. */
  readonly entries: readonly Login[];
  /** People that are there and whose login the file does not have: nobody but they can tell it. */
  readonly lost: readonly string[];
}

/**
 * Prepares the logins of people that are not there yet; those that the file has already keep what it says. Nobody who is there gets another password
 * or loses a token, unless `renew` asks for it: then those whose login is lost.
 */
export async function prepareLogins(database: Reader, loginsFile: string, renew: boolean): Promise<Logins> {
  const known = readLogins(loginsFile);
  const present = new Set(
    (
      await database.person.findMany({
        where: { email: { in: people.map(({ email }) => email) } },
        select: { email: true },
      })
    ).map(({ email }) => email),
  );
  const made: Logins["made"][number][] = [];
  const entries: Login[] = [];
  const lost: string[] = [];
  for (const person of people) {
    const before = known.find((entry) => entry.email === person.email);
    const isThere = present.has(person.email);
    // safety: start: nobody gets another password
    if (isThere && before === undefined && !renew) {
      lost.push(person.email);
      continue;
    }
    const entry = before ?? {
      role: person.role,
      org: person.org ?? providerOrg,
      email: person.email,
      password: randomBytes(12).toString("base64url"),
      token: newApiToken(),
    };
    entries.push(entry);
    if (!isThere || before === undefined)
      made.push({ person, entry, passwordHash: await hashPassword(entry.password) });
  }
  return { made, entries, lost };
}

/** Makes tenants, and the people and tokens that `prepareLogins` found missing. Returns the tenants. */
export async function seedPeople(tx: Transaction, { made }: Logins): Promise<readonly DemoTenant[]> {
  const seeded: DemoTenant[] = [];
  for (const tenant of tenants) {
    const row = await tx.tenant.upsert({
      where: { org: tenant.org },
      update: {},
      create: { org: tenant.org, name: tenant.name },
    });
    seeded.push({ ...tenant, id: row.id });
  }
  for (const { person, entry, passwordHash } of made) {
    const tenantId = seeded.find((tenant) => tenant.org === person.org)?.id ?? null;
    const { id } = await tx.person.upsert({
      where: { email: person.email },
      update: { passwordHash },
      create: { email: person.email, name: person.name, role: person.role, tenantId, passwordHash },
      select: { id: true },
    });
    await tx.apiToken.create({ data: { hash: tokenHash(entry.token), name: "demo", personId: id } });
  }
  return seeded;
}

/** What the demo's tenants may do at its site, while nobody has decided on any of it: what a person took stays taken. */
export async function seedGrants(
  tx: Transaction,
  siteId: string,
  seeded: readonly DemoTenant[],
): Promise<void> {
  if ((await tx.tenantGrant.count({ where: { siteId } })) > 0) return;
  await tx.tenantGrant.createMany({
    data: seeded.flatMap(({ id, targeted }) =>
      ["networkAllocation", ...(targeted ? ["targetedInstanceCreation"] : [])].map((kind) => ({
        tenantId: id,
        siteId,
        kind,
        givenBy: "the demo's seed",
      })),
    ),
  });
}

function readLogins(file: string): readonly Login[] {
  if (!existsSync(file)) return [];
  const parsed = logins.safeParse(JSON.parse(readFileSync(file, "utf8")));
  return parsed.success ? parsed.data : [];
}

/** Readable by the owner alone, from the first byte on. */
export function writeLogins(file: string, entries: readonly Login[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.new`;
  writeFileSync(next, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}
