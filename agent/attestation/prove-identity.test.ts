// How the agent proves the identity of a TPM: what it sends, in which order, and that nothing that goes wrong stops it.
import { expect, it } from "vitest";
import { Agent } from "@/agent/agent";
import { proveIdentity } from "@/agent/attestation/prove-identity";
import { done, isCall, registered, restart, world } from "@/agent/testing/agent-world";
import type { ActivationBody, IdentityBody } from "@/server/domain/attestation/protocol";
import type { TpmTools } from "@/agent/tools/tools";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const { around } = world(() => ({ status: 500 }));
const broken = () =>
  Promise.resolve({ command: "/usr/bin/tpm2_x", exitCode: 1, status: "broken", value: null });

const working: TpmTools = {
  found: () => done(true),
  ...{ clear: broken, state: broken, ownerKey: broken, onRequest: broken, quote: broken, eventLog: broken },
  endorsementCertificates: () => done([{ type: "ecc", der: bytes("certificate") }]),
  makeKeys: (type) => done({ endorsementKey: bytes(`ek ${type}`), attestationKey: bytes("ak") }),
  activateCredential: ({ blob, secret }) =>
    done(bytes(`${Buffer.from(blob).toString()} ${Buffer.from(secret).toString()}`)),
};

/** `credential`: whether the server answers with one. */
async function said(change: Partial<TpmTools>, credential = true, clearLocked = false) {
  const calls: (ActivationBody | IdentityBody)[] = [];
  await proveIdentity(
    { log: () => undefined, tools: { ...around.tools, tpm: { ...working, ...change } } },
    {
      identity: (body) => {
        calls.push(body);
        const sealed = { blob: base64("blob"), secret: base64("secret") };
        return Promise.resolve({ credential: credential ? sealed : null, message: "m" });
      },
      activation: (body) => {
        calls.push(body);
        return Promise.resolve({ activated: true, message: "proven" });
      },
      quote: () => Promise.reject(new Error("nobody asked for a quote")),
    },
    clearLocked,
  );
  return calls;
}

it("sends keys and certificate, and what was in the credential", async () => {
  expect(await said({})).toEqual([
    {
      kind: "keys",
      endorsementKey: base64("ek ecc"),
      attestationKey: base64("ak"),
      certificate: base64("certificate"),
    },
    { secret: base64("blob secret") },
  ]);
});

it("takes the RSA key if there are certificates for both, or none", async () => {
  const both = [
    { type: "ecc" as const, der: bytes("e") },
    { type: "rsa" as const, der: bytes("r") },
  ];
  expect((await said({ endorsementCertificates: () => done(both) }))[0]).toMatchObject({
    ...{ endorsementKey: base64("ek rsa"), certificate: base64("r") },
  });
  expect((await said({ endorsementCertificates: () => done([]) }))[0]).toMatchObject({
    ...{ endorsementKey: base64("ek rsa"), certificate: null },
  });
});

it("says that there is no TPM", async () => {
  expect(await said({ found: () => done(false) }, false)).toEqual([
    { kind: "none", why: "noTpm", message: "the kernel found no TPM" },
  ]);
});

it.each(["found", "endorsementCertificates", "makeKeys"] as const)("says what failed: %s", async (name) => {
  expect(await said({ [name]: broken }, false)).toEqual([
    { kind: "none", why: "failed", message: "/usr/bin/tpm2_x answered 1: broken" },
  ]);
});

it("says that the credential was not opened", async () => {
  expect((await said({ activateCredential: broken })).at(-1)).toEqual({
    ...{ kind: "none", why: "failed", message: "/usr/bin/tpm2_x answered 1: broken" },
  });
});

it("asks for the newest command once it is over, and touches no TPM where the server does not ask, or does not know of it", async () => {
  for (const wanted of [
    { status: 404 },
    { status: 200, body: { identity: false } },
    { status: 200, body: { identity: true } },
  ]) {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered({ kind: "none" });
      if (isCall(request, "/identity")) return { status: 200, body: { credential: null, message: "m" } };
      return restart;
    });
    const http: typeof me.around.http = (request) =>
      isCall(request, "/attestation/wanted")
        ? Promise.resolve({ status: wanted.status, text: JSON.stringify(wanted.body ?? {}) })
        : me.around.http(request);
    expect(await new Agent({ ...me.around, http }).run()).toEqual({ kind: "restarting" });
    expect(me.requests.filter((request) => isCall(request, "/identity"))).toHaveLength(
      wanted.body?.identity === true ? 1 : 0,
    );
  }
});

it("clears a TPM that a tenant has locked, only where the server says so, and only one that is locked", async () => {
  const state = (endorsementSet: boolean) => () =>
    done({ ...{ ownerSet: true, endorsementSet }, ...{ lockoutSet: false, clearDisabled: false } });
  const kinds = async (isLocked: boolean, clearLocked: boolean) => {
    let cleared = 0;
    const tpm = {
      state: state(isLocked),
      clear: () => done<true>(((cleared += 1), true)),
      makeKeys: (type: string) =>
        cleared === 0 ? broken() : working.makeKeys(type === "ecc" ? "ecc" : "rsa"),
    };
    const [first] = await said(tpm, true, clearLocked);
    return [first !== undefined && "kind" in first ? first.kind : null, cleared];
  };
  expect(await kinds(true, true)).toEqual(["keys", 1]);
  expect(await kinds(true, false)).toEqual(["none", 0]);
  expect(await kinds(false, true)).toEqual(["none", 0]);
});
