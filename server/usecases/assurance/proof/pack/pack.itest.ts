// A pack holds as a whole and is in the log; whatever is changed in it, taken out or added is found.
import { afterAll, beforeAll, expect, it } from "vitest";
import { addFirstKey, readSigners } from "@/server/db/audit-log/keys";
import { poolOf } from "@/server/db/prisma";
import type { Role } from "@/server/domain/access/roles";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";
import { archiveEnd, memberBytes, readMembers } from "@/server/domain/assurance/proof/pack/tar";
import type { Member } from "@/server/domain/assurance/proof/pack/tar";
import { verifyPack } from "@/server/domain/assurance/proof/pack/verify-pack";
import { makePack } from "@/server/usecases/assurance/proof/pack/make-pack";
import { addReturn, signAll } from "@/server/usecases/testing/returns";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let trust: Policy;
let acme: Uint8Array;
let members: readonly Member[];

type PackRequest = Partial<Parameters<typeof makePack>[3]>;
async function pack(
  asked: PackRequest = {},
  role: Role = "auditor",
  tenant?: "acme" | "vela",
): Promise<Uint8Array> {
  const backend = { ...world.backend, publicUrl: "https://reclaim.test" };
  const making = makePack(backend, world.actor(role, tenant), world.request(), { pdf: false, ...asked });
  // The controller's jobs, which number and sign the pack's own event.
  let over = false;
  const signing = (async () => {
    while (!over) await signAll(world);
  })();
  const found = await making.finally(() => {
    over = true;
  });
  await signing;
  if (!found.ok) throw new Error(found.problem.detail);
  const parts: Uint8Array[] = [];
  for await (const piece of found.value.pieces) parts.push(piece);
  return Buffer.concat(parts);
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 700);
  yield bytes.subarray(700);
}
async function membersOf(bytes: Uint8Array): Promise<readonly Member[]> {
  const found: Member[] = [];
  for await (const member of readMembers(inPieces(bytes), () => 1e8)) found.push(member);
  return found;
}
const archiveOf = (of: readonly Member[]): Uint8Array => Buffer.concat([...of.map(memberBytes), archiveEnd]);
const faults = async (bytes: Uint8Array): Promise<string> =>
  (await verifyPack(inPieces(bytes), trust)).faults.map(({ what, why }) => `${what}: ${why}`).join("\n");

beforeAll(async () => {
  world = await createWorld();
  const pool = poolOf(world.backend.database);
  await pool.query("UPDATE site SET demo = false");
  await addFirstKey(pool, world.backend.secrets, "reclaim.test/audit-log");
  const startedAt = "2026-10-30T20:31:00Z";
  await addReturn(world, "gpu-1", { tenant: "acme", startedAt, serial: "PHAB1", outcome: "ready" });
  await addReturn(world, "gpu-2", {
    tenant: "acme",
    startedAt: "2026-10-02T00:00:00Z",
    serial: "PHAB2",
    outcome: "ready",
    excepted: true,
  });
  await addReturn(world, "gpu-3", { tenant: "acme", startedAt: "2026-10-31T00:00:00Z", serial: "PHAB3" });
  await addReturn(world, "gpu-5", { tenant: "vela", startedAt, serial: "VELA5", outcome: "ready" });
  await signAll(world);
  trust = policyOfKeys((await readSigners(pool, world.backend.secrets)).map(({ key }) => key));
  acme = await pack({ tenant: "acme", month: "2026-10" });
  members = await membersOf(acme);
});
afterAll(() => world.stop());

it("holds as a whole, names what is not proven, and is in the log", async () => {
  const verified = await verifyPack(inPieces(acme), trust);
  expect(verified).toMatchObject({
    ...{ faults: [], certificates: 2, madeBy: "auditor of acme" },
    held: { proven: 1, provenWithExceptions: 1 },
  });
  expect(verified.index?.returns.map(({ instance, standing }) => [instance, standing])).toEqual([
    ["of-gpu-2", "provenWithExceptions"],
    ["of-gpu-1", "proven"],
    ["of-gpu-3", "notProven"],
  ]);
  const event = await world.backend.database.auditEvent.findFirstOrThrow({
    where: { action: "proof.pack" },
    orderBy: { at: "asc" },
  });
  expect(event).toMatchObject({
    actorName: "auditor of acme",
    targetId: world.tenants.acme,
    outcome: "done",
  });
  expect(await verifyPack(inPieces(acme), policyOfKeys([]))).toMatchObject({ faults: [], signer: null });
});

it("has a PDF of each if asked, with the same certificate in it", async () => {
  const bytes = await pack({ text: "gpu-1", pdf: true });
  expect(await faults(bytes)).toBe("");
  const [json, pdf] = (await membersOf(bytes)).slice(-2);
  expect([json?.name, pdf?.name]).toEqual([expect.stringMatching(/json$/), expect.stringMatching(/pdf$/)]);
});

it("of a tenant has its receipts alone", async () => {
  const bytes = await pack({}, "tenant-admin", "vela");
  expect(await faults(bytes)).toBe("");
  const text = Buffer.from(bytes).toString("latin1");
  expect(text).toContain("of-gpu-5");
  expect(text).not.toMatch(/of-gpu-[1-4]|"gpu-5"|acme/i);
  await expect(pack({ tenant: "acme" }, "tenant-admin", "vela")).rejects.toThrow("acme");
});

const changed = (name: RegExp, change: (text: string) => string) =>
  members.map((member) =>
    name.test(member.name)
      ? { ...member, bytes: Buffer.from(change(Buffer.from(member.bytes).toString("utf8"))) }
      : member,
  );
const isCertificate = ({ name }: Member): boolean => name.startsWith("certificates/");

it.each<readonly [string, () => readonly Member[] | Promise<readonly Member[]>, RegExp]>([
  [
    "a certificate was changed",
    () =>
      changed(/^certificates/, (text) =>
        text.replace(/"sig":"(.)/, (_, first) => `"sig":"${first === "A" ? "B" : "A"}`),
      ),
    /certificates\/C-\d+.json: signature/,
  ],
  ["all certificates were removed", () => members.filter((each) => !isCertificate(each)), /it is missing/],
  ["the last certificate was removed", () => members.slice(0, -1), /it is missing/],
  ["a certificate is there twice", () => [...members, ...members.slice(-1)], /the index does not name it/],
  [
    "certificates were swapped",
    () => [...members.slice(0, -2), ...members.slice(-2).reverse()],
    /is in its place/,
  ],
  [
    "one certificate has another's name",
    () => [
      ...members.slice(0, -1),
      { name: members.at(-1)?.name ?? "", bytes: members.at(-2)?.bytes ?? new Uint8Array() },
    ],
    /not the one that the index names/,
  ],
  [
    "the index was changed",
    () => changed(/^index.json/, (text) => text.replace('"notProven"', '"proven"')),
    /not the index that the log has/,
  ],
  [
    "the table was changed",
    () => changed(/csv$/, (text) => text.replace("notProven", "proven")),
    /not the table/,
  ],
  [
    "the README was changed",
    () => changed(/README/, (text) => text.replace("3 returns", "2 returns")),
    /README.txt/,
  ],
  [
    "the checkpoint was changed",
    () => changed(/checkpoint/, (text) => text.replace(/\n\d+\n/, "\n1\n")),
    /checkpoint.txt/,
  ],
  ["the keys were removed", () => changed(/keys/, () => ""), /keys.txt/],
  [
    "the index of another pack is in its place",
    async () => {
      const other = await membersOf(await pack({ tenant: "vela" }));
      const swapped = new Set(["README.txt", "index.json", "index.csv"]);
      return members.map((member) =>
        swapped.has(member.name) ? (other.find(({ name }) => name === member.name) ?? member) : member,
      );
    },
    /not the index that the log has/,
  ],
])("does not hold where %s", async (_what, change, why) => {
  expect(await faults(archiveOf(await change()))).toMatch(why);
});

it("does not hold if it was cut off, goes on, or is no archive of ours", async () => {
  const broken = [
    acme.subarray(0, -1),
    acme.subarray(0, -700),
    acme.subarray(0, 1000),
    new Uint8Array(),
    Buffer.concat([acme, Buffer.from("x")]),
  ];
  for (const bytes of broken) expect(await faults(bytes)).toContain("archive: ");
});
