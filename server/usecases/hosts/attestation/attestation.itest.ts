// What people read of a host's TPM, and which key they may accept.
import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptKey } from "@/server/usecases/hosts/attestation/accept-key";
import { getAttestation } from "@/server/usecases/hosts/attestation/get-attestation";
import { createWorld, type World } from "@/server/usecases/testing/world";
import type { Role } from "@/server/domain/access/roles";

let world: World;
let hosts = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const [first, second] = ["a".repeat(64), "b".repeat(64)] as const;
const at = new Date("2026-11-30T07:00:00Z");
const made = { manufacturer: "id:49465800", model: "SLB9670", version: "id:00070055" };
const vouched = { make: made, authority: "CN=A maker", faults: [] };
const accepted = { acceptedDigest: first, acceptedAs: "certificate", acceptedAt: at, acceptedEpoch: 1 };
const shown = { keyDigest: first, attestationKey: new Uint8Array([1]), activatedAt: at };

type Row = Omit<Parameters<World["backend"]["database"]["hostTpm"]["create"]>[0]["data"], "hostId" | "host">;
async function hostWith(row: Partial<Row> | null): Promise<string> {
  hosts += 1;
  const hostId = await world.host(`tpm-${hosts}`);
  if (row !== null) await world.backend.database.hostTpm.create({ data: { bootEpoch: 1, ...row, hostId } });
  return hostId;
}

const view = async (hostId: string) => {
  const outcome = await getAttestation(world.backend, world.actor("operator"), { hostId });
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
};
const accept = async (hostId: string, digest: string, role: Role = "operator") => {
  const outcome = await acceptKey(world.backend, world.actor(role), world.request(), {
    ...{ hostId, digest, reason: "RMA 1" },
  });
  return outcome.ok ? null : outcome.problem.detail;
};

it("is not asked for by default", async () => {
  expect(await view(await hostWith(null))).toMatchObject({
    mode: "off",
    state: "off",
    key: null,
    accepted: null,
  });
});

it("is proven by a certificate", async () => {
  const hostId = await hostWith({ ...shown, ...accepted, verdict: vouched });
  expect(await view(hostId)).toMatchObject({
    ...{ state: "proven", cause: null, words: "Proven in boot 1: CN=A maker vouches for the key." },
    ...{ key: { digest: first, certificate: vouched }, accepted: { digest: first, as: "certificate" } },
  });
});

it("is pinned, with the reason, if its certificate does not count", async () => {
  const verdict = { make: made, authority: null, faults: ["it expired at 2025"] };
  const hostId = await hostWith({ ...shown, ...accepted, acceptedAs: "firstContact", verdict });
  const { state, cause, words } = await view(hostId);
  expect({ state, cause }).toEqual({ state: "proven", cause: "MeasurementsCAValidationFailed" });
  expect(words).toContain(
    "its certificate does not count: it expired at 2025. The key counts because it was pinned",
  );
});

it.each([
  ["noTpm", "In boot 1 the kernel found no TPM."],
  ["unproven", "Not proven in boot 1: tpm2_createek answered 1"],
] as const)("says that it is not proven: %s", async (state, words) => {
  const problemKind = state === "noTpm" ? "noTpm" : "failed";
  const hostId = await hostWith({ ...accepted, problemKind, problem: "tpm2_createek answered 1" });
  expect(await view(hostId)).toMatchObject({ state, words, accepted: { digest: first } });
  expect(await accept(hostId, first)).toBe("The TPM has proven no key in the newest boot that told of it.");
});

it("says that a TPM has not opened its credential, whose key nobody can accept", async () => {
  const hostId = await hostWith({ ...shown, ...accepted, keyDigest: second, activatedAt: null });
  expect(await view(hostId)).toMatchObject({ state: "unproven" });
  expect(await accept(hostId, second)).toBe("The TPM has proven no key in the newest boot that told of it.");
  expect(await accept(await hostWith(null), second)).toMatch(/has proven no key/);
});

it("is another key until an operator accepts the one that was seen, which is audited", async () => {
  const hostId = await hostWith({ ...shown, ...accepted, keyDigest: second, bootEpoch: 4 });
  expect(await view(hostId)).toMatchObject({ state: "changed", cause: "EndorsementKeyChanged" });
  for (const role of ["auditor", "tenant-admin"] as const)
    expect(await accept(hostId, second, role)).not.toBeNull();
  expect(await accept(hostId, "c".repeat(64))).toBe(
    "The key has changed again since you read it. Read it again.",
  );
  expect(await accept(hostId, second)).toBeNull();
  expect(await accept(hostId, second)).toBeNull();
  expect(await view(hostId)).toMatchObject({
    ...{
      state: "proven",
      cause: null,
      accepted: { digest: second, as: "operator", bootEpoch: 4, provenEpoch: 4 },
    },
  });
  const events = await world.backend.database.auditEvent.findMany({
    where: { action: "host.acceptEndorsementKey", targetId: hostId, outcome: "done" },
    select: { before: true, after: true },
  });
  expect(events).toEqual([{ before: { key: first }, after: { key: second, reason: "RMA 1" } }]);
});

it("is not accepted from a boot that is contested", async () => {
  const hostId = await hostWith({ ...shown, ...accepted, keyDigest: second, bootEpoch: 4 });
  await world.backend.database.bootWindow.create({
    data: { hostId, bootEpoch: 4, generation: 1n, expiresAt: at, contestedAt: at },
  });
  expect(await accept(hostId, second)).toBe(
    "The key was proven in a boot that is contested. Wait for the next boot.",
  );
});
