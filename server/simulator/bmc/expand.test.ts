// `$expand` of the simulated BMCs: an expanded answer contains what each resource returns by itself, and what is not offered is refused.
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Bmc } from "@/server/simulator/bmc/bmc";
import { personalities } from "@/server/simulator/bmc/personality";
import { blueprint } from "@/server/simulator/fleet/blueprint";
import type { HostModelName } from "@/server/simulator/fleet/models";
import { hardwareTime } from "@/server/simulator/hardware-time";
import { SimulatedHost } from "@/server/simulator/host/simulated-host";

const kinds = personalities();
const hosts = Array.from({ length: 200 }, (_, index) => blueprint(index, 1, true));

function bmcOf(model: HostModelName): Bmc {
  const found = hosts.find((host) => host.model === model);
  if (found === undefined) throw new Error(`no ${model} in the fleet`);
  return new Bmc(
    new SimulatedHost(found, 1, hardwareTime(100_000), async () => undefined),
    kinds[model],
    "secret",
  );
}

const authorization = `Basic ${Buffer.from("reclaim:secret").toString("base64")}`;
const get = (bmc: Bmc, path: string) =>
  bmc.answer({
    method: "GET",
    path,
    header: (name) => (name === "authorization" ? authorization : undefined),
    body: "",
  });

const collection = z.object({
  Members: z.array(
    z.looseObject({ "@odata.id": z.string(), Drives: z.array(z.looseObject({ "@odata.id": z.string() })) }),
  ),
  "Members@odata.count": z.number(),
});
const parsed = (body: string | undefined): unknown => JSON.parse(body ?? "null");
const storageOf = (bmc: Bmc): string => `${kinds[bmc.host.blueprint.model].tree.system}/Storage`;

describe("an expanded answer", () => {
  it.each(["lenovo", "lenovoKit"] as const)("of %s holds two levels, each as it is by itself", (model) => {
    const bmc = bmcOf(model);
    const { Members, "Members@odata.count": count } = collection.parse(
      parsed(get(bmc, `${storageOf(bmc)}?$expand=.($levels=2)`).body),
    );
    expect(Members).toHaveLength(count);
    for (const member of Members) {
      expect(member.Drives.length).toBeGreaterThan(0);
      for (const drive of member.Drives) expect(drive).toEqual(parsed(get(bmc, drive["@odata.id"]).body));
    }
  });

  it.each(["dell", "dellBoss"] as const)(
    "of %s holds one level, of a collection and of a resource",
    (model) => {
      const bmc = bmcOf(model);
      const { Members } = collection.parse(parsed(get(bmc, `${storageOf(bmc)}?$expand=.($levels=1)`).body));
      for (const member of Members) expect(member).toEqual(parsed(get(bmc, member["@odata.id"]).body));
      const [unit] = Members.filter(({ Drives }) => Drives.length > 0);
      const whole = collection.shape.Members.element.parse(
        parsed(get(bmc, `${unit?.["@odata.id"]}?$expand=.`).body),
      );
      for (const drive of whole.Drives) expect(drive).toEqual(parsed(get(bmc, drive["@odata.id"]).body));
    },
  );
});

it("shows the same again only as long as all that is in it is the same", () => {
  const bmc = bmcOf("lenovo");
  const other = bmcOf("lenovoKit");
  const path = (of: Bmc) => `${storageOf(of)}?$expand=.($levels=2)`;
  const [before, others] = [get(bmc, path(bmc)).body, get(other, path(other)).body];
  expect(get(bmc, path(bmc)).body).toBe(before);
  expect(others).not.toBe(before);
  const [drive] = bmc.host.drives;
  if (drive === undefined) throw new Error("the host has no drive");
  const { serial } = drive.reported;
  vi.spyOn(drive, "reported", "get").mockReturnValue({ ...drive.reported, serial: "CHANGED-1" });
  expect(get(bmc, path(bmc)).body).toBe(before?.replaceAll(serial, "CHANGED-1"));
  expect(get(other, path(other)).body).toBe(others);
});

describe("what a BMC does not offer", () => {
  it.each<[HostModelName, string, string, number]>([
    ["dell", "more levels than one", "/Storage?$expand=.($levels=2)", 400],
    ["lenovo", "more levels than two", "/Storage?$expand=.($levels=3)", 400],
    ["dell", "its system", "?$expand=.", 400],
    ["dell", "another form", "/Storage?$expand=Drives", 501],
    ["lenovo", "what is not there", "/Nothing?$expand=.", 404],
    ["generic", "anything", "/Storage?$expand=.", 501],
  ])("%s: %s", (model, _what, rest, status) => {
    expect(get(bmcOf(model), `${kinds[model].tree.system}${rest}`).status).toBe(status);
  });
});
