// The identity of a TPM over real HTTP on a real database: what is proven, what counts as the host's key, and what counts for nothing.
import { beforeAll, describe, expect, it } from "vitest";
import { flushSecurityEvents } from "@/server/db/security-events";
import { certificateDer, makerPlan } from "@/server/simulator/host/tpm/certificates";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { addHost, openWindow, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import { bootTokenOf, registered } from "@/server/surfaces/machine/testing/agent-session";
import { base64, bodyOf, tpmCalls, tpmWith } from "@/server/surfaces/machine/testing/tpm-calls";

const fixture = machineServer({ longPollMs: 600 });

const observe = (mode: "off" | "observe") =>
  fixture.query(
    "UPDATE site_policy SET body = jsonb_set(body, '{attestation}', to_jsonb($2::text)) WHERE site_id = $1",
    [fixture.siteId, mode],
  );
const trust = (der: Buffer | null) =>
  fixture.query("UPDATE site SET authorities = $2 WHERE id = $1", [
    fixture.siteId,
    der === null
      ? {}
      : {
          maker: {
            usedFor: ["tpm"],
            pem: `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`,
          },
        },
  ]);
beforeAll(async () => {
  await observe("observe");
  await trust(certificateDer(makerPlan));
});

const { call, offered, proven, contest } = tpmCalls(fixture);

const storedOf = async (host: TestHost) =>
  (
    await fixture.query<Record<string, unknown>>(
      `SELECT boot_epoch, key_digest, activated_at IS NOT NULL AS activated, problem, problem_kind, accepted_digest, accepted_as, accepted_epoch, proven_epoch,
         verdict->>'authority' AS authority, verdict->'faults' AS faults FROM host_tpm WHERE host_id = $1`,
      [host.id],
    )
  )[0];
const eventsOf = async (host: TestHost) => {
  await flushSecurityEvents();
  return fixture.query("SELECT kind FROM security_event WHERE host_id = $1 ORDER BY first_at, kind", [
    host.id,
  ]);
};

describe("the identity of a TPM", () => {
  it("is proven by its certificate", async () => {
    const host = await addHost(fixture);
    const { body } = await proven(host, tpmWith(true));
    expect(body).toMatchObject({ activated: true, message: "proven" });
    expect(await storedOf(host)).toMatchObject({
      ...{ boot_epoch: 1, activated: true, accepted_as: "certificate", accepted_epoch: 1, proven_epoch: 1 },
      authority: "CN=Reclaim simulated TPM maker",
      faults: [],
    });
    expect(await eventsOf(host)).toEqual([]);
  });

  it("is pinned at first contact without one, and proven in each boot", async () => {
    const host = await addHost(fixture);
    const tpm = tpmWith(false);
    await proven(host, tpm);
    expect(await storedOf(host)).toMatchObject({ accepted_as: "firstContact", authority: null });
    await proven(host, tpm);
    expect(await storedOf(host)).toMatchObject({ boot_epoch: 2, accepted_epoch: 1, proven_epoch: 2 });
  });

  it("is pinned where no authority of the site vouches for it, and vouched for once one does", async () => {
    const host = await addHost(fixture);
    const tpm = tpmWith(true);
    await trust(null);
    await proven(host, tpm);
    expect(await storedOf(host)).toMatchObject({
      accepted_as: "firstContact",
      faults: [expect.stringMatching(/its issuer is not one of the site's authorities/)],
    });
    await trust(certificateDer(makerPlan));
    await proven(host, tpm);
    expect(await storedOf(host)).toMatchObject({ accepted_as: "certificate", accepted_epoch: 1, faults: [] });
  });

  it("is not the host's if another key counts as it, and stays so: EndorsementKeyChanged", async () => {
    const host = await addHost(fixture);
    const [first, second] = [tpmWith(true), tpmWith(true)];
    await proven(host, first);
    const before = await storedOf(host);
    const { body } = await proven(host, second);
    expect(body).toMatchObject({
      activated: true,
      message: "proven, and another key counts as this host's",
    });
    const after = await storedOf(host);
    expect(after).toMatchObject({
      activated: true,
      accepted_digest: before?.["accepted_digest"],
      proven_epoch: 1,
    });
    expect(after?.["key_digest"]).not.toBe(after?.["accepted_digest"]);
    expect(await eventsOf(host)).toEqual([{ kind: "endorsementKeyChanged" }]);
  });

  it("is not proven by another secret, and that is a security event", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await offered(token, tpmWith(true));
    const answer = await call("activation", token, { secret: base64(Buffer.alloc(32)) });
    expect(answer).toMatchObject({ status: 409, body: { code: "credentialWrong" } });
    expect(await storedOf(host)).toMatchObject({ activated: false, accepted_digest: null });
    expect(await eventsOf(host)).toEqual([{ kind: "tpmIdentityForged" }]);
  });

  it("is not proven by the secret of an earlier boot", async () => {
    const host = await addHost(fixture);
    const tpm = tpmWith(true);
    const earlier = await offered(await registered(fixture, host), tpm);
    const token = await registered(fixture, host);
    await offered(token, tpm);
    expect((await call("activation", token, { secret: earlier })).status).toBe(409);
    expect(await storedOf(host)).toMatchObject({ boot_epoch: 2, activated: false });
  });

  it("is refused with its fault if a key is not what it should be", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const body = bodyOf(tpmWith(true));
    const answer = await call("identity", token, { ...body, endorsementKey: body.attestationKey });
    expect(answer.body).toEqual({ credential: null, message: "the endorsement key is not decrypt" });
    expect(await storedOf(host)).toMatchObject({ problem_kind: "refused", problem: answer.body.message });
  });

  it("is absent where there is no TPM, or where it cannot be asked, and what counts stays", async () => {
    const host = await addHost(fixture);
    await proven(host, tpmWith(true));
    const token = await registered(fixture, host);
    const none = { kind: "none", why: "failed", message: "tpm2_createek answered 1: authorization failure" };
    expect((await call("identity", token, none)).status).toBe(200);
    expect(await storedOf(host)).toMatchObject({
      ...{ boot_epoch: 2, activated: false, problem_kind: "failed", problem: none.message },
      ...{ accepted_as: "certificate", proven_epoch: 1 },
    });
  });

  it("is asked for once per boot: what is proven is not replaced", async () => {
    const host = await addHost(fixture);
    const { token } = await proven(host, tpmWith(true));
    const answer = await call("identity", token, bodyOf(tpmWith(true)));
    expect(answer).toMatchObject({ status: 409, body: { code: "attestationOver" } });
    expect(await storedOf(host)).toMatchObject({ activated: true });
  });
});

describe("what counts for nothing", () => {
  it("is every call before a registration, and with a boot token", async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host);
    const bootToken = await bootTokenOf(fixture, host);
    for (const token of [bootToken, "nobody-has-given-this-token"])
      for (const [name, body] of [
        ["wanted", {}],
        ["identity", bodyOf(tpmWith(true))],
        ["activation", { secret: base64(Buffer.alloc(32)) }],
      ] as const)
        expect((await call(name, token, body)).status).toBe(401);
    expect(await storedOf(host)).toBeUndefined();
  });

  it("is what a session of an older boot shows", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await openWindow(fixture, host);
    expect((await call("wanted", token, {})).body).toEqual({ identity: false });
    expect((await call("identity", token, bodyOf(tpmWith(true)))).status).toBe(409);
    expect(await storedOf(host)).toBeUndefined();
  });

  it("is what was shown in a boot that is contested meanwhile", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const secret = await offered(token, tpmWith(true));
    await contest(host);
    expect((await call("activation", token, { secret })).body).toMatchObject({ code: "attestationOver" });
    expect(await storedOf(host)).toMatchObject({ activated: false, accepted_digest: null });
  });

  it("is a key that was pinned in a boot that was contested later", async () => {
    const host = await addHost(fixture);
    await proven(host, tpmWith(true));
    await contest(host);
    await proven(host, tpmWith(true));
    const stored = await storedOf(host);
    expect(stored).toMatchObject({ accepted_epoch: 2, proven_epoch: 2 });
    expect(stored?.["accepted_digest"]).toBe(stored?.["key_digest"]);
  });

  it("is everything where the site does not ask, which is the default", async () => {
    await observe("off");
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    expect((await call("wanted", token, {})).body).toEqual({ identity: false });
    expect((await call("identity", token, bodyOf(tpmWith(true)))).body).toMatchObject({ code: "notAsked" });
    expect(await storedOf(host)).toBeUndefined();
    await observe("observe");
  });
});
