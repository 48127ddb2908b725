// BMCs with TLS: trusted by the site's authorities, by a pin, or not at all. A refusal says what to do (docs/adr/0051-certificates-of-bmcs.md).
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import { afterEach, describe, expect, it } from "vitest";
import { judgeCertificate } from "@/server/domain/hardware/certificate";
import type { SiteTrust } from "@/server/domain/sites/authorities";
import { authorityForTests, type SelfSigned } from "@/server/hardware/http/testing/self-signed";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { clientForTests, within } from "@/server/hardware/redfish/testing/setup";

const name = "bmc-under-test.localhost";
const lab = authorityForTests("Lab CA");
const other = authorityForTests("Other CA");
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** A BMC that shows this certificate; `received` counts requests. */
async function bmcWith(certificate: SelfSigned) {
  let received = 0;
  const server: Server = createServer(
    { key: certificate.key, cert: certificate.cert },
    (_request, response) => {
      received += 1;
      response.setHeader("content-type", "application/json").end('{"Name":"root"}');
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ended.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const { client } = clientForTests();
  ended.push(() => client.close());
  const target = (trust: SiteTrust, pin: string | null = null): BmcTarget => ({
    hostId: "host-1",
    address: `https://${name}:${address.port}`,
    username: "root",
    password: "secret",
    certificate: pin,
    trust,
    links: null,
    powerState: null,
  });
  return {
    received: () => received,
    /** Reads and judges the certificate as `verify` does. */
    judge: async (trust: SiteTrust, acceptFirst = false) => {
      const shown = await client.certificate(target(trust), within);
      if (!shown.ok) throw new Error(shown.error.message);
      return judgeCertificate({ pinned: null, acceptFirst, by: trust.by }, shown.value);
    },
    read: async (trust: SiteTrust, pin: string | null = null) => {
      const begun = client.begin(target(trust, pin), within);
      return begun.ok ? client.serviceRoot(begun.call) : begun;
    },
  };
}

const by = (
  authority: { readonly cert: string } | null,
  mode: SiteTrust["by"] = "pinOrAuthority",
): SiteTrust => ({
  by: mode,
  authorities: authority?.cert ?? null,
});
const plain = (certificate: SelfSigned) => certificate.fingerprint256.replaceAll(":", "").toLowerCase();

describe("a BMC with a certificate of the site's authority", () => {
  it("is looked at and talked to", async () => {
    const bmc = await bmcWith(lab.issue(name));
    expect(await bmc.judge(by(lab))).toEqual({ ok: true, pin: null });
    expect(await bmc.read(by(lab))).toMatchObject({ ok: true });
    expect(await bmc.judge(by(lab, "authority"))).toEqual({ ok: true, pin: null });
  });

  it.each([
    ["of another authority", by(other), lab.issue(name), /Add its issuer to the site's authorities/],
    ["of an authority that is not the system's", by(null), lab.issue(name), /Add its issuer/],
    ["that has expired", by(lab), lab.issue(name, -1), /has expired. Renew it/],
    ["for another name", by(lab), lab.issue("bmc-2.localhost"), /another name/],
    ["of an authority, where only pins count", by(lab, "pin"), lab.issue(name), /pinned certificates only/],
  ])("%s is sent nothing, and the refusal says what to do", async (_what, trust, certificate, words) => {
    const bmc = await bmcWith(certificate);
    expect(await bmc.judge(trust)).toEqual({ ok: false, message: expect.stringMatching(words) });
    expect(await bmc.read(trust)).toMatchObject({
      ok: false,
      error: { kind: "untrusted", unknownOutcome: false, message: expect.stringMatching(words) },
    });
    expect(bmc.received()).toBe(0);
  });

  it("that is not accepted is not believed at first contact either, where authorities decide", async () => {
    const bmc = await bmcWith(lab.issue(name));
    expect(await bmc.judge(by(other, "authority"), true)).toMatchObject({ ok: false });
  });

  it("and a pin counts by its pin, also after it expired", async () => {
    const certificate = lab.issue(name, -1);
    const bmc = await bmcWith(certificate);
    for (const mode of ["pin", "pinOrAuthority", "authority"] as const)
      expect(await bmc.read(by(other, mode), plain(certificate))).toMatchObject({ ok: true });
    expect(await bmc.read(by(lab), plain(lab.issue(name)))).toMatchObject({
      ok: false,
      error: { kind: "untrusted", message: expect.stringContaining("not the pinned one") },
    });
  });

  it("is asked by the document of the moment: the next request has the new authorities", async () => {
    const bmc = await bmcWith(lab.issue(name));
    expect(await bmc.read(by(lab))).toMatchObject({ ok: true });
    const before = bmc.received();
    expect(await bmc.read(by(other))).toMatchObject({ ok: false, error: { kind: "untrusted" } });
    expect(bmc.received()).toBe(before);
    expect(await bmc.read(by(lab))).toMatchObject({ ok: true });
  });
});
