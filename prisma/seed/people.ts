// The demo's tenants and people, one of each role, and the file with their logins.
import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { Database } from "@/server/db/prisma";
import { hashPassword } from "@/server/db/passwords";
import { newToken, tokenHash } from "@/server/usecases/access/tokens";
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

const login = z.strictObject({ role: z.enum(roles), org: z.string(), email: z.string(), password: z.string(), token: z.string() });
const logins = z.array(login);
type Login = z.infer<typeof login>;

/** Makes tenants, people and tokens that are not there yet, and returns the tenants. */
export async function seedPeople(database: Database, loginsFile: string): Promise<readonly DemoTenant[]> {
  const made: DemoTenant[] = [];
  for (const tenant of tenants) {
    const row = await database.tenant.upsert({ where: { org: tenant.org }, update: {}, create: { org: tenant.org, name: tenant.name, targetedInstanceCreation: tenant.targeted } });
    made.push({ ...tenant, id: row.id });
  }
  const known = readLogins(loginsFile);
  const written: Login[] = [];
  for (const person of people) written.push(await seedPerson(database, person, made, known.find((entry) => entry.email === person.email)));
  writeLogins(loginsFile, written);
  return made;
}

/** A login whose file is lost gets a new password and token: the old ones cannot be told any more. */
async function seedPerson(database: Database, person: DemoPerson, made: readonly DemoTenant[], known: Login | undefined): Promise<Login> {
  const row = await database.person.findUnique({ where: { email: person.email }, select: { id: true } });
  if (row !== null && known !== undefined) {
    const token = await database.apiToken.count({ where: { hash: tokenHash(known.token), personId: row.id } });
    if (token === 1) return known;
  }
  const entry: Login = { role: person.role, org: person.org ?? providerOrg, email: person.email, password: randomBytes(12).toString("base64url"), token: newToken() };
  const id = row?.id ?? randomUUID();
  const passwordHash = await hashPassword(entry.password);
  const tenantId = made.find((tenant) => tenant.org === person.org)?.id ?? null;
  await database.$transaction([
    database.person.upsert({ where: { id }, update: { passwordHash }, create: { id, email: person.email, name: person.name, role: person.role, tenantId, passwordHash } }),
    database.apiToken.deleteMany({ where: { personId: id, name: "demo" } }),
    database.apiToken.create({ data: { hash: tokenHash(entry.token), name: "demo", personId: id } }),
  ]);
  return entry;
}

function readLogins(file: string): readonly Login[] {
  if (!existsSync(file)) return [];
  const parsed = logins.safeParse(JSON.parse(readFileSync(file, "utf8")));
  return parsed.success ? parsed.data : [];
}

/** Readable by the owner alone, from the first byte on. */
function writeLogins(file: string, entries: readonly Login[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.new`;
  writeFileSync(next, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}
