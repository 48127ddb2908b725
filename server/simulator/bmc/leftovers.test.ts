// What a leaving host leaves on its BMC: listed, removed and read again on simulated BMCs of each vendor.
import { afterEach, describe, expect, it } from "vitest";
import type { Leftover } from "@/server/domain/hosts/decommission/leftovers";
import type { BmcTarget, HardwareResult, LeftoversInterface } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { clientForTests, typeOf } from "@/server/hardware/redfish/testing/setup";
import { stepBench } from "@/server/simulator/testing/step-bench";

const bench = stepBench();
const types = { dell: "idrac", lenovo: "xclarity", generic: "redfish" } as const;
const vendors = ["dell", "lenovo", "generic"] as const;
const clients: RedfishClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** A BMC with its links, and a client of its own, like that of another process of ours. */
async function on(vendor: (typeof vendors)[number]) {
  const host = bench.fleet.host(vendor);
  const { serial } = host.blueprint;
  const { client } = clientForTests({ limits: { retryWaitsMs: [] } });
  clients.push(client);
  const type = typeOf(client, types[vendor]);
  const bare: BmcTarget = {
    hostId: serial,
    address: `http://bmc-${serial.toLowerCase()}.localhost:${bench.fleet.simulator.port}`,
    username: "reclaim",
    password: "of-all-bmcs",
    links: null,
    powerState: null,
  };
  const found = await type.inventory.discover(bare, { timeoutMs: 30_000 });
  if (!found.ok) throw new Error(found.error.message);
  const { leftovers } = type;
  if (leftovers === undefined) throw new Error(`${vendor} has no leftovers`);
  return { host, leftovers, target: { ...bare, links: found.value.links } };
}
type Subject = Awaited<ReturnType<typeof on>>;

const options = { timeoutMs: 30_000, permit: async () => true };
const value = (result: HardwareResult<readonly Leftover[]>): readonly Leftover[] => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const look = async ({ leftovers, target }: Subject) => value(await leftovers.look(target, options));
const remove = async ({ leftovers, target }: Subject) => value(await leftovers.remove(target, options));
const own = async ({ leftovers, target }: Subject, sent = false) =>
  (await leftovers.removeOwnAccount(target, sent, options)) satisfies Awaited<
    ReturnType<LeftoversInterface["removeOwnAccount"]>
  >;
const intrude = ({ host }: Subject, left: object) =>
  bench.fleet.control("POST", `/hosts/${host.blueprint.serial}/bmc-intrusion`, left);
const stands = (rows: readonly Leftover[]) =>
  rows.filter(({ outcome }) => !["removed", "kept", "notOffered"].includes(outcome));

describe.each(vendors)("of a %s host", (vendor) => {
  it("accounts, keys, subscriptions, media and boot entries are listed, removed, and gone when read again", async () => {
    const subject = await on(vendor);
    await intrude(subject, {
      account: "tenant",
      subscription: "https://evil.example",
      medium: "http://evil.example/a.iso",
    });
    const found = stands(await look(subject)).map(({ what }) => what);
    expect(found).toEqual(
      expect.arrayContaining([
        "account tenant",
        "event subscription to https://evil.example",
        "virtual medium http://evil.example/a.iso",
      ]),
    );
    expect(stands(await remove(subject))).toEqual([]);
    expect(stands(await look(subject)).filter(({ kind }) => kind !== "bootEntry")).toEqual([]);
  });

  it("our own account is none of them, and goes last: the BMC refuses it then", async () => {
    const subject = await on(vendor);
    expect((await look(subject)).map(({ what }) => what)).not.toContain("account reclaim");
    expect(await own(subject)).toMatchObject({
      ok: true,
      value: [{ kind: "ownAccount", outcome: "removed" }],
    });
    const again = await own(subject, true);
    expect(again).toMatchObject({ ok: true, value: [{ outcome: "removed" }] });
    // We did not remove it, so a refused sign-in does not prove that it is gone.
    expect(await own(subject, false)).toMatchObject({ ok: true, value: [{ outcome: "unreadable" }] });
  });
});

it("a boot entry that was made goes; the firmware's own stay, and say so", async () => {
  const subject = await on("dell");
  await intrude(subject, { bootEntry: "evil" });
  const after = await remove(subject);
  expect(after.filter(({ what }) => /evil|ubuntu|Linux/.test(what))).toEqual([]);
  const entries = after.filter(({ kind }) => kind === "bootEntry");
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.every(({ outcome, message }) => outcome === "kept" && message !== null)).toBe(true);
});

it("a key of our own account is removed, too", async () => {
  const subject = await on("generic");
  await intrude(subject, { key: "ssh-ed25519 AAAA evil" });
  expect(stands(await look(subject))).toMatchObject([{ kind: "accountKey", outcome: "found" }]);
  expect(stands(await remove(subject))).toEqual([]);
});

it("an answer is no removal: what is read again stands", async () => {
  const subject = await on("generic");
  await intrude(subject, { account: "tenant" });
  subject.host.script({ bmc: { mode: "acceptAndIgnore" } });
  expect(stands(await remove(subject))).toMatchObject([
    { what: "account tenant", outcome: "refused", message: "removed, but still there" },
  ]);
  expect(await own(subject)).toMatchObject({
    value: [{ kind: "ownAccount", outcome: "refused", message: "removed, but still there" }],
  });
});

it("nothing is sent without a permit", async () => {
  const subject = await on("generic");
  await intrude(subject, { account: "tenant" });
  const refused = { ...options, permit: async () => false };
  expect(await subject.leftovers.remove(subject.target, refused)).toMatchObject({ ok: false });
  expect(await subject.leftovers.removeOwnAccount(subject.target, true, refused)).toMatchObject({
    ok: false,
  });
  expect(stands(await look(subject))).toHaveLength(1);
});
