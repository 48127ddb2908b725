// Sets of BMC credentials. A host that uses a set has a copy of it, so that code for BMCs need not know about sets (docs/sites.md#bmc-credentials).
import { sql } from "kysely";
import type { SiteDocument } from "@/server/domain/sites/document";
import type { Transaction } from "@/server/db/prisma";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { execute } from "@/server/db/sql";

interface Writing {
  readonly tx: Transaction;
  readonly secrets: SecretBox;
  readonly siteId: string;
  readonly before: SiteDocument;
  readonly after: SiteDocument;
}

/** A host's user name and password as stored in its row, from its site's set with that name. */
export interface HostCredential {
  readonly bmcCredentialId: string;
  readonly bmcUsername: string;
  readonly bmcPassword: Uint8Array<ArrayBuffer>;
}

interface StoredSet {
  readonly id: string;
  readonly username: string;
  readonly password: Uint8Array;
}

/** A host's copy of a set, with the password encrypted for the host's own row. */
function copyFor(hostId: string, set: StoredSet, secrets: SecretBox): HostCredential {
  const password = secrets.open(set.password, secretPlaces.credentialPassword(set.id));
  return {
    bmcCredentialId: set.id,
    bmcUsername: set.username,
    bmcPassword: secrets.seal(password, secretPlaces.bmcPassword(hostId)),
  };
}

/** Reads the sets of a site by name, with a lock until this transaction ends, and returns each host's copy. Absent if there is no such set. */
export async function credentialsOf(
  { tx, secrets }: Pick<Writing, "tx" | "secrets">,
  siteId: string,
): Promise<(name: string, hostId: string) => HostCredential | undefined> {
  // In the same order as applying a document: the site first, then its sets.
  await execute(tx, sql`SELECT id FROM site WHERE id = ${siteId}::uuid FOR KEY SHARE`);
  await execute(tx, sql`SELECT id FROM bmc_credential WHERE site_id = ${siteId}::uuid FOR SHARE`);
  const sets = await tx.bmcCredential.findMany({ where: { siteId } });
  const byName = new Map(sets.map((set) => [set.name, set]));
  return (name, hostId) => {
    const set = byName.get(name);
    return set === undefined ? undefined : copyFor(hostId, set, secrets);
  };
}

/** Writes a set over its hosts' copies, in one statement. */
async function writeHosts({ tx, secrets }: Writing, set: StoredSet): Promise<void> {
  const hosts = await tx.host.findMany({ where: { bmcCredentialId: set.id }, select: { id: true } });
  const rows = hosts.map(({ id }) => ({
    id,
    password: Buffer.from(copyFor(id, set, secrets).bmcPassword).toString("hex"),
  }));
  if (rows.length > 0)
    await execute(
      tx,
      sql`
      UPDATE host h SET bmc_username = ${set.username}, bmc_password = decode(n.password, 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(id uuid, password text)
      WHERE h.id = n.id
        -- A host that was given credentials of its own meanwhile keeps them.
        AND h.bmc_credential_id = ${set.id}::uuid`,
    );
}

async function writeSet(
  writing: Writing,
  name: string,
  username: string,
  password: string | undefined,
): Promise<void> {
  const { tx, secrets, siteId } = writing;
  const where = { siteId_name: { siteId, name } };
  const old = await tx.bmcCredential.findUnique({ where });
  // A new set without a value is already a fault, so this transaction is rolled back.
  if (old === null && password === undefined) return;
  const { id } =
    old ??
    (await tx.bmcCredential.create({
      data: { siteId, name, username, password: new Uint8Array() },
      select: { id: true },
    }));
  const set = await tx.bmcCredential.update({
    where: { id },
    data: {
      username,
      ...(password === undefined
        ? {}
        : { password: secrets.seal(password, secretPlaces.credentialPassword(id)) }),
    },
  });
  await writeHosts(writing, set);
}

/** Writes new or changed sets with their hosts, and removes omitted ones, which no host uses: `siteFaults`. */
export async function writeCredentials(
  writing: Writing,
  passwords: ReadonlyMap<string, string>,
): Promise<void> {
  const { tx, siteId, before, after } = writing;
  const wanted = after.bmcCredentials ?? {};
  for (const [name, { username }] of Object.entries(wanted))
    if (before.bmcCredentials?.[name]?.username !== username || passwords.has(name))
      await writeSet(writing, name, username, passwords.get(name));
  const gone = Object.keys(before.bmcCredentials ?? {}).filter((name) => !Object.hasOwn(wanted, name));
  if (gone.length > 0)
    await tx.bmcCredential.deleteMany({ where: { siteId, name: { in: gone }, hosts: { none: {} } } });
}
