// Sets of BMC credentials: hosts have a copy that follows their set, and nothing else of the host changes (docs/sites.md#bmc-credentials).
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { formatChange } from "@/server/domain/sites/difference";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { applySite } from "@/server/usecases/sites/apply-site";
import { credentialsOf } from "@/server/usecases/sites/write-credentials";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let hostId: string;
let other: string;
beforeEach(async () => {
  world = await createWorld();
  hostId = await world.host("gpu-1");
  other = await world.host("gpu-2");
});
afterEach(() => world.stop());

const lab = (username: string) => ({ lab: { username, password: { fromEnv: "BMC" } } });
const apply = (bmcCredentials: object, password?: string) =>
  applySite(world.backend, world.actor("provider-admin"), world.request(), {
    document: stringify({ format: 1, site: "a", bmcCredentials }),
    reason: "ticket 4711",
    ...(password === undefined ? {} : { secrets: { "env:BMC": password } }),
  });
async function changes(bmcCredentials: object, password?: string): Promise<readonly string[]> {
  const result = await apply(bmcCredentials, password);
  if (!result.ok) throw new Error(result.problem.detail);
  return result.value.changes.map(formatChange);
}
async function signIn(id: string) {
  const { database, secrets } = world.backend;
  const host = await database.host.findUniqueOrThrow({ where: { id } });
  if (host.bmcPassword === null) throw new Error("the host has no password");
  return {
    username: host.bmcUsername,
    password: secrets.open(host.bmcPassword, secretPlaces.bmcPassword(id)),
  };
}
/** As enrolment does it. */
const use = (id: string, name: string) =>
  world.backend.database.$transaction(async (tx) => {
    const of = await credentialsOf({ tx, secrets: world.backend.secrets }, world.siteId);
    const copy = of(name, id);
    if (copy !== undefined) await tx.host.update({ where: { id }, data: copy });
    return copy !== undefined;
  });

describe("a set of credentials", () => {
  it("reaches the hosts that use it, and no other", async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const before = await signIn(other);
    expect(await changes(lab("root"), first)).toEqual([
      'bmcCredentials: added {"lab":{"username":"root","password":{"stored":true}}}',
    ]);
    expect(await use(hostId, "nowhere")).toBe(false);
    expect(await use(hostId, "lab")).toBe(true);
    expect(await signIn(hostId)).toEqual({ username: "root", password: first });
    expect(await changes(lab("root"), first)).toEqual([]);
    expect(await changes(lab("root"), second)).toEqual(["bmcCredentials.lab.password: another secret"]);
    expect(await signIn(hostId)).toEqual({ username: "root", password: second });
    expect(await changes({ lab: { username: "admin", password: { stored: true } } })).toEqual([
      'bmcCredentials.lab.username: "root" → "admin"',
    ]);
    expect(await signIn(hostId)).toEqual({ username: "admin", password: second });
    expect(await signIn(other)).toEqual(before);
  });

  it("needs a value when it is new, and is not left out while a host uses it", async () => {
    expect(await apply({ lab: { username: "root", password: { stored: true } } })).toMatchObject({
      problem: { code: "invalid", faults: [{ path: "bmcCredentials.lab.password" }] },
    });
    expect(await world.backend.database.bmcCredential.count()).toBe(0);
    await changes(lab("root"), "secret-1");
    await use(hostId, "lab");
    expect(await apply({})).toMatchObject({
      problem: {
        code: "notAllowedNow",
        faults: [
          {
            path: "bmcCredentials",
            message:
              "the credentials lab are missing from the document, but 1 host (gpu-1) uses them: give them others first",
          },
        ],
      },
    });
    await world.backend.database.host.update({ where: { id: hostId }, data: { bmcCredentialId: null } });
    expect(await changes({})).toHaveLength(1);
    expect(await world.backend.database.bmcCredential.count()).toBe(0);
  });
});
