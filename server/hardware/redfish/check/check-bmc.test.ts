// The checks of a BMC against captured trees: what passes, what an answer that is missing means, and that nothing changes.
import { createServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  bmcCheckNames,
  verdictOf,
  type BmcCheck,
  type BmcCheckName,
} from "@/server/domain/hardware/bmc-report";
import { authorityForTests } from "@/server/hardware/http/testing/self-signed";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { checkBmc } from "@/server/hardware/redfish/check/check-bmc";
import { network } from "@/server/hardware/redfish/check/machine";
import { bmcForEachTest, targetAt, within } from "@/server/hardware/redfish/testing/setup";
import { message, send, type TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
const { make } = bmcForEachTest("dell", (started) => (bmc = started));
const ended: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const checkAt = (target: BmcTarget, options = {}) =>
  checkBmc(make().client, target, { ...within, ...options });
const manager = "/redfish/v1/Managers/iDRAC.Embedded.1";
const of = (checks: readonly BmcCheck[], name: BmcCheckName) => checks.find(({ check }) => check === name);
const statuses = (checks: readonly BmcCheck[]) =>
  Object.fromEntries(checks.map(({ check, status }) => [check, status]));

describe("a BMC that works", () => {
  it("passes each check that is needed, and is asked in reads alone", async () => {
    const checks = await checkAt(targetAt(bmc));
    expect(checks.map(({ check }) => check)).toEqual(bmcCheckNames);
    expect({ verdict: verdictOf(checks), checks }).toMatchObject({ verdict: "works" });
    expect(of(checks, "storage")?.says).toMatch(/^3 drives behind /);
    expect(of(checks, "boot")?.says).toContain("is asked for UefiHttp once, then Pxe once");
    expect(of(checks, "bmcDefaults")).toMatchObject({ status: "passed" });
    const others = bmc.takeLines().filter((line) => !line.startsWith("GET "));
    expect(others).toEqual(["POST /redfish/v1/SessionService/Sessions"]);
  });

  it("reads no path twice", async () => {
    await checkAt(targetAt(bmc));
    const lines = bmc.takeLines().filter((line) => line !== "GET /redfish/v1/");
    expect(lines.filter((line, place) => lines.indexOf(line) !== place)).toEqual([]);
  });
});

describe("a check that has not passed", () => {
  it.each([
    ["a port at which nobody listens", "http://127.0.0.1:1", "port", "failed", /accepts no connection/],
    ["an address that may not be used", "https://169.254.169.254", "name", "failed", /link-local/],
    ["a network that the server does not list", "https://10.0.0.7", "name", "failed", /RECLAIM_BMC_NETWORKS/],
    ["an address that is none", "ftp://x", "name", "failed", /not an http or https address/],
  ] as const)("of %s leaves the later ones unmade", async (_what, address, name, status, says) => {
    const checks = await checkAt({ ...targetAt(bmc), address });
    expect(of(checks, name)).toMatchObject({ status, says: expect.stringMatching(says) });
    const later = checks.slice(bmcCheckNames.indexOf(name) + 1);
    expect(later.map(({ status: made }) => made)).toEqual(later.map(() => "notMade"));
    expect(of(checks, "system")?.says).toMatch(/^It needs \w+, which has not passed\.$/);
    expect(verdictOf(checks)).toBe("doesNotWork");
    expect(bmc.received).toEqual([]);
  });

  it("of the sign-in sends the password once, and never shows it, though the BMC does", async () => {
    bmc.fault = ({ method, body }, response) => {
      if (method !== "POST") return false;
      send(response, 401, { error: { message: `no such user: ${body}` } });
      return true;
    };
    const checks = await checkAt(targetAt(bmc, null, { password: "hunter-22" }));
    expect(of(checks, "signIn")).toMatchObject({
      status: "failed",
      todo: expect.stringContaining("Change BMC"),
    });
    expect(of(checks, "signIn")?.says).toContain("(password)");
    expect(JSON.stringify(checks)).not.toContain("hunter-22");
    expect(of(checks, "power")).toMatchObject({ status: "notMade" });
    expect(bmc.takeLines().filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  it("of the sign-in says that a new password is wanted, though a session opened", async () => {
    bmc.fault = ({ method, path }, response) => {
      if (method !== "GET" || path === "/redfish/v1/") return false;
      send(response, 403, message("Base.1.8.1.PasswordChangeRequired", "Change the password."));
      return true;
    };
    const checks = await checkAt(targetAt(bmc));
    expect(of(checks, "signIn")).toMatchObject({
      status: "failed",
      todo: expect.stringContaining("Set a new password at the BMC"),
    });
    expect(of(checks, "system")?.status).toBe("notMade");
  });

  it("of the system says that another machine answers", async () => {
    const checks = await checkAt(
      targetAt(bmc, null, {
        identity: { serial: "OTHER-1", systemUuid: "00000000-0000-4000-8000-0000000000ff" },
      }),
    );
    expect(of(checks, "system")).toMatchObject({
      status: "failed",
      says: expect.stringContaining("OTHER-1"),
    });
  });

  it.each([
    ["of the sign-in", { background: true }, /earlier test.* after \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/],
    ["of the sign-in of a person", {}, /not sent again before it is changed/],
  ])("%s that was refused before is not known, and nothing is sent", async (_what, options, says) => {
    const { client } = make();
    const root = bmc.contentOf("/redfish/v1");
    // A root as AMI has it: only the session service names the sessions.
    bmc.replaced.set("/redfish/v1", { ...root, Links: {} });
    const target = targetAt(bmc, null, { password: "wrong" });
    const first = await checkBmc(client, target, { ...within, ...options });
    expect(of(first, "signIn")?.status).toBe("failed");
    expect(bmc.received.filter(({ headers }) => headers.authorization !== undefined)).toHaveLength(1);
    expect(bmc.takeLines().filter((line) => line.startsWith("POST"))).toEqual([]);
    const again = await checkBmc(client, target, { ...within, ...options });
    expect(of(again, "signIn")).toMatchObject({ status: "notKnown", says: expect.stringMatching(says) });
    expect(of(again, "system")?.status).toBe("notMade");
    expect(bmc.takeLines()).toEqual(["GET /redfish/v1/"]);
  });

  it("of the certificate sends nothing", async () => {
    const certificate = authorityForTests("Other CA").issue("bmc-under-test.localhost");
    let received = 0;
    const server = createServer({ key: certificate.key, cert: certificate.cert }, () => (received += 1));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ended.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const target = { ...targetAt(bmc), address: `https://bmc-under-test.localhost:${port}` };
    const trust = { by: "pinOrAuthority" as const, authorities: null };
    const checks = await checkAt({ ...target, trust });
    expect(of(checks, "tls")).toMatchObject({
      status: "passed",
      says: expect.stringMatching(/^TLSv1\.[23] with /),
    });
    expect(of(checks, "certificate")).toMatchObject({
      status: "failed",
      todo: expect.stringContaining("--certificate "),
    });
    expect(of(checks, "service")).toMatchObject({ status: "notMade" });
    expect(received).toBe(0);
  });
});

describe("an answer that is missing", () => {
  const paths = {
    storage: "/Storage",
    network: "EthernetInterfaces",
    bios: "/Bios",
    eventLogs: "/LogServices",
    accounts: "/Accounts",
    firmware: "FirmwareInventory",
  } as const;

  it.each(Object.entries(paths))(
    "%s with status 500 is not known, and the others are made",
    async (name, part) => {
      bmc.fault = ({ method, path }, response) => {
        if (method !== "GET" || !path.includes(part)) return false;
        send(response, 500, {});
        return true;
      };
      const checks = await checkAt(targetAt(bmc));
      expect(statuses(checks)).toMatchObject({ [name]: "notKnown", power: "passed", bmcRestart: "passed" });
      expect(of(checks, name as BmcCheckName)?.todo).not.toBeNull();
    },
  );

  it("with the kinds of a reset is not known", async () => {
    const info = `${manager}/ResetActionInfo`;
    const action = (name: string) => ({ target: `${manager}/Actions/${name}`, "@Redfish.ActionInfo": info });
    const { Actions: _actions, ...rest } = bmc.contentOf(manager);
    const Actions = {
      "#Manager.Reset": action("Manager.Reset"),
      "#Manager.ResetToDefaults": action("Manager.ResetToDefaults"),
    };
    bmc.replaced.set(manager, { ...rest, Actions });
    bmc.fault = ({ path }, response) => path === info && (send(response, 500, {}), true);
    expect(statuses(await checkAt(targetAt(bmc)))).toMatchObject({
      bmcRestart: "notKnown",
      bmcDefaults: "notKnown",
    });
  });

  it("with status 403 has failed", async () => {
    bmc.fault = ({ method, path }, response) => {
      if (method !== "GET" || !path.endsWith("/Bios")) return false;
      send(response, 403, {});
      return true;
    };
    expect(statuses(await checkAt(targetAt(bmc)))).toMatchObject({ bios: "failed", storage: "passed" });
  });

  it("ends the checks if the BMC falls silent", async () => {
    bmc.fault = ({ path }, response) => {
      if (!path.includes("/Storage")) return false;
      response.destroy();
      return true;
    };
    const checks = await checkAt(targetAt(bmc));
    expect(statuses(checks)).toMatchObject({ boot: "passed", storage: "notKnown", network: "notMade" });
    expect(of(checks, "network")?.says).toBe("The BMC stopped answering at Drives.");
  });
});

it("knows no rights of an account that the BMC does not list, and names those that a role lacks", async () => {
  const unlisted = await checkAt(targetAt(bmc, null, { username: "somebody" }));
  expect(of(unlisted, "signIn")?.status).toBe("failed");
  const roles = "/redfish/v1/AccountService/Roles/Operator";
  const accounts = await checkAt(targetAt(bmc));
  expect(of(accounts, "rights")).toMatchObject({ status: expect.stringMatching(/passed|notKnown/) });
  const path =
    bmc
      .takeLines()
      .find((line) => /Accounts\/\d+$/.test(line))
      ?.slice("GET ".length) ?? "";
  bmc.replaced.set(path, {
    "@odata.id": path,
    UserName: "root",
    Enabled: true,
    RoleId: "Operator",
    Links: { Role: { "@odata.id": roles } },
  });
  bmc.replaced.set(roles, { "@odata.id": roles });
  expect(of(await checkAt(targetAt(bmc)), "rights")).toMatchObject({ status: "notKnown" });
  bmc.replaced.set(path, { "@odata.id": path, UserName: "root", Enabled: true, RoleId: "Administrator" });
  bmc.replaced.set("/redfish/v1/AccountService/Roles/Administrator", { "@odata.id": roles });
  expect(of(await checkAt(targetAt(bmc)), "rights")).toMatchObject({ status: "passed" });
  bmc.replaced.set(path, {
    "@odata.id": path,
    UserName: "root",
    Enabled: true,
    RoleId: "Operator",
    Links: { Role: { "@odata.id": roles } },
  });
  bmc.replaced.set(roles, {
    "@odata.id": roles,
    AssignedPrivileges: ["Login", "ConfigureComponents", "ConfigureSelf"],
  });
  expect(of(await checkAt(targetAt(bmc)), "rights")).toMatchObject({
    status: "failed",
    says: "Root has the role Operator, which does not permit ConfigureManager, ConfigureUsers.",
  });
});

it("compares the clocks", async () => {
  bmc.date = null;
  expect(of(await checkAt(targetAt(bmc)), "time")?.status).toBe("notKnown");
  bmc.date = new Date(Date.now() - 3_600_000).toUTCString();
  expect(of(await checkAt(targetAt(bmc)), "time")).toMatchObject({
    status: "failed",
    says: expect.stringContaining("behind"),
  });
});

it("tells where events go without what may be a secret", async () => {
  const subscriptions = "/redfish/v1/EventService/Subscriptions";
  const places = [
    "https://user:pass-word@10.0.0.9:8443/hook/token-77?key=token-78",
    "mailto:somebody@example.com",
    "no address",
    null,
  ];
  bmc.replaced.set(subscriptions, {
    "@odata.id": subscriptions,
    Members: places.map((_place, index) => ({ "@odata.id": `${subscriptions}/${index}` })),
    "Members@odata.count": places.length,
  });
  for (const [index, Destination] of places.entries())
    bmc.replaced.set(`${subscriptions}/${index}`, { "@odata.id": `${subscriptions}/${index}`, Destination });
  expect(of(await checkAt(targetAt(bmc)), "events")).toMatchObject({
    status: "passed",
    says: "4 subscriptions: https://10.0.0.9:8443, mailto:, (not an address), (no destination).",
  });
});

it("knows no addresses of cards that the BMC lists without them", () => {
  const left = ["network addresses: the BMC does not report the host's own ports"];
  expect(network({ macs: [], hasCards: true }, left)).toMatchObject({ status: "notKnown" });
  expect(network({ macs: [], hasCards: false }, left)).toMatchObject({ status: "notOffered" });
});

it.each([
  [null, "notKnown", /RECLAIM_HTTP_BOOT_URI.* is not set here/],
  ["https://boot.site.example/ipxe.efi", "passed", /^The BIOS attribute UrlBootFile names/],
] as const)("of a boot by a BIOS attribute alone with the setting %s", async (httpBootUri, status, says) => {
  const system = bmc.systemPath;
  const { Attributes, ...bios } = bmc.contentOf(`${system}/Bios`);
  bmc.replaced.set(`${system}/Bios`, { ...bios, Attributes: { ...(Attributes as object), UrlBootFile: "" } });
  bmc.boot = { ...bmc.boot, "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Hdd"] };
  const { client } = make(httpBootUri === null ? {} : { httpBootUri });
  const checks = await checkBmc(client, targetAt(bmc), within);
  expect(of(checks, "boot")).toMatchObject({ status, says: expect.stringMatching(says) });
});
