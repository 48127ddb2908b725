// Parts of three public GPU machines, and of very many broken trees like them: what a BMC does not say is never none.
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText } from "@/server/testing/any-text";
import { partKinds, partsReport } from "@/server/domain/hosts/parts/part";
import type { PartsReport } from "@/server/domain/hosts/parts/part";
import { collectParts } from "@/server/hardware/redfish/inventory/parts";
import type { PartPlaces } from "@/server/hardware/redfish/inventory/parts";
import { dgxH100, gb200, gh200 } from "@/server/hardware/redfish/testing/gpu-machines";
import type { Machine, Tree } from "@/server/hardware/redfish/testing/gpu-machines";
import { gathersOver } from "@/server/hardware/redfish/testing/memory-bmc";
import { isWhole } from "@/server/testing/drawn";

const hgx = "/redfish/v1/Systems/HGX_Baseboard_0";

async function partsOf({ tree, places }: Machine, spare = true): Promise<PartsReport> {
  const { newGather } = gathersOver(tree);
  return partsReport.parse(await collectParts({ newGather, spare: () => spare }, places));
}

const some = (report: PartsReport, kind: string) => report.found.filter((each) => each.kind === kind);
const reasonOf = (report: PartsReport, kind: string) =>
  report.untold.find((each) => each.kind === kind)?.reason;

it("finds the GPUs and switches of a DGX H100 on the host's PCI buses, because nothing links their board with it", async () => {
  const report = await partsOf(dgxH100());
  expect(report.told).toEqual(["gpu", "nvswitch", "memory", "nic", "dpu"]);
  expect(some(report, "gpu").map(({ slot }) => slot)).toEqual(
    ["1B", "43", "52", "61", "9D", "C3", "D1", "DF"].map((bus) => `00_${bus}_00`),
  );
  expect(some(report, "gpu")[0]).toEqual({
    ...{ kind: "gpu", slot: "00_1B_00", model: "10de:2330", pciId: "10de:2330" },
    link: { width: 16, maxWidth: 16, maxSpeed: 32 },
  });
  expect(some(report, "nvswitch")).toHaveLength(4);
  expect(some(report, "memory")[0]).toEqual({
    ...{ kind: "memory", slot: "DevType2_DIMM0", model: "MTC40F2046S1RC48BA1", serial: "40155B49" },
    ...{ manufacturer: "Micron", memoryBytes: "68719476736" },
  });
  expect(some(report, "nic").map(({ firmware }) => firmware)).toEqual(["1.3105.0", "2.50"]);
});

it.each<[string, (machine: Machine) => PartPlaces]>([
  ["the host's system names as a supplier", ({ places }) => ({ ...places, suppliers: [hgx] })],
  [
    "names the host's system as its consumer",
    ({ tree, places }) => {
      change(tree, hgx, (body) => ({
        ...body,
        Links: { ConsumingComputerSystems: [{ "@odata.id": places.system }] },
      }));
      return places;
    },
  ],
  [
    "is in a chassis inside the host's",
    ({ tree, places }) => {
      const [within = ""] = places.chassis;
      change(tree, within, (body) => ({
        ...body,
        Links: {
          ComputerSystems: [{ "@odata.id": places.system }],
          Contains: [{ "@odata.id": "/redfish/v1/Chassis/HGX_BMC_0" }],
        },
      }));
      tree.set("/redfish/v1/Chassis/HGX_BMC_0", { Links: { ComputerSystems: [{ "@odata.id": hgx }] } });
      return places;
    },
  ],
])("reads the GPUs of a board that %s", async (_, link) => {
  const machine = dgxH100();
  const report = await partsOf({ ...machine, places: link(machine) });
  expect(report.told).toContain("gpu");
  expect(some(report, "gpu")).toHaveLength(8);
  expect(some(report, "gpu")[0]).toEqual({
    ...{ kind: "gpu", slot: "SXM1", model: "H100 80GB HBM3", serial: "1652923003067" },
    ...{ manufacturer: "NVIDIA", firmware: "96.00.89.00.01", pciId: "10de:2330" },
    memoryBytes: String(81559n * 1024n * 1024n),
    link: { width: 16, maxWidth: 16, maxSpeed: 32 },
    ecc: {
      ...{ lifetimeCorrected: 0, lifetimeUncorrected: 0, remappedRows: 0 },
      ...{ remapPending: false, remapFailed: false },
    },
  });
  expect(reasonOf(report, "nvswitch")).toBe("Redfish lists no NVLink switches");
});

it("does not say of a Grace Hopper that it has no GPUs", async () => {
  const report = await partsOf(gh200());
  expect(report.told).toEqual(["memory"]);
  expect(reasonOf(report, "gpu")).toBe(
    "HGX_Baseboard_0 lists 2 GPUs, and nothing links it with this host's system",
  );
  expect(some(report, "gpu")).toEqual([]);
  expect(reasonOf(report, "nic")).toBe("none of the system's chassis lists network adapters");
  expect(some(report, "memory")).toMatchObject([{ slot: "LP5x_0 LP5x_0", memoryBytes: "515396075520" }]);
});

it("reads the network cards of a GB200 in chassis that name the host's system", async () => {
  const report = await partsOf(gb200());
  expect(some(report, "nic")).toMatchObject([{ slot: "IO_Board_0_CX7_0", serial: "1583124760427" }]);
  expect(some(report, "dpu")).toMatchObject([{ model: "BlueField-3 DPU", serial: "MT2425XZ0LRP" }]);
  expect(report.told).toEqual(["memory", "nic", "dpu"]);
});

it("reads no GPU of another host at the same BMC", async () => {
  const { tree, places } = gh200();
  change(tree, hgx, (body) => ({
    ...body,
    Actions: { "#ComputerSystem.Reset": { target: `${hgx}/Actions/ComputerSystem.Reset` } },
  }));
  const report = await partsOf({ tree, places });
  expect(report.told).toContain("gpu");
  expect(some(report, "gpu")).toEqual([]);
});

it("does not take what the buses show for all GPUs if the board lists more, or if a function cannot be read", async () => {
  const { tree, places } = dgxH100();
  const [first = "", ...others] = places.pcieFunctions.filter((path) => path.includes("_1B_"));
  expect(others).toEqual([]);
  const fewer = await partsOf({
    tree,
    places: { ...places, pcieFunctions: places.pcieFunctions.filter((path) => path !== first) },
  });
  expect(reasonOf(fewer, "gpu")).toContain("lists 8 GPUs");
  expect(reasonOf(fewer, "gpu")).toContain("its PCI buses show 7 GPUs");
  expect(some(fewer, "gpu")).toHaveLength(7);
  expect(some(fewer, "nvswitch")).toHaveLength(4);
  expect(reasonOf(fewer, "nvswitch")).toContain("its PCI buses show 7 GPUs");
  tree.set(first, 500);
  const broken = await partsOf({ tree, places });
  expect(reasonOf(broken, "gpu")).toContain("lists 8 GPUs");
  expect(some(broken, "gpu")).toEqual([]);
});

it("leaves out what only adds to a part where the call has no time for it", async () => {
  const machine = dgxH100();
  const report = await partsOf({ ...machine, places: { ...machine.places, suppliers: [hgx] } }, false);
  expect(some(report, "gpu")).toHaveLength(8);
  expect(some(report, "gpu")[0]).not.toHaveProperty("ecc");
  const unlinked = await partsOf(machine, false);
  expect(unlinked.told).not.toContain("gpu");
  expect(reasonOf(unlinked, "gpu")).toContain("lists 8 GPUs");
});

it("lists boards with a serial number of their own", async () => {
  const { tree, places } = dgxH100();
  const [chassis = ""] = places.chassis;
  change(tree, chassis, (body) => ({ ...body, Assembly: { "@odata.id": `${chassis}/Assembly` } }));
  // As the board's own chassis lists them.
  tree.set(`${chassis}/Assembly`, {
    Assemblies: [
      {
        ...{ Name: "Board FRU Assembly", Model: "P5612-B00", PartNumber: "699-25612-0002-205" },
        SerialNumber: "1662823551934",
      },
      { Name: "Chassis FRU Assembly", SerialNumber: "0000000000000000000000000" },
    ],
  });
  expect((await partsOf({ tree, places })).boards).toEqual([
    {
      ...{ name: "Board FRU Assembly", model: "P5612-B00", partNumber: "699-25612-0002-205" },
      serial: "1662823551934",
    },
  ]);
});

function change(tree: Tree, path: string, by: (body: Readonly<Record<string, unknown>>) => object): void {
  tree.set(path, by({ ...Object(tree.get(path)) }));
}

const machines = { dgxH100, gh200, gb200 } as const;
/** How many of each kind a machine has. */
const truth = {
  dgxH100: { gpu: 8, nvswitch: 4, memory: 2, nic: 2, dpu: 0 },
  gh200: { gpu: 2, nvswitch: 0, memory: 1, nic: 0, dpu: 0 },
  gb200: { gpu: 1, nvswitch: 0, memory: 1, nic: 1, dpu: 1 },
} as const;

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, "", "x", 0, -1, 1e300, true, [], {}, [null], { "@odata.id": 7 }),
  anyText(),
  fc.double(),
);

/** What takes something away from a tree: an answer, a whole content, or what one member says. */
const loss = fc.record({
  path: fc.nat(),
  way: fc.constantFrom("status", "lost", "content", "member"),
  status: fc.constantFrom(400, 401, 404, 500, 503),
  member: fc.nat(),
  value: junk,
});

/** Members that say how many or which there are; another value there is another machine, and not one that says less. */
const counting = new Set(["Members@odata.count", "State", "CapacityMiB"]);

function apply(
  tree: Tree,
  { path: at, way, status, member, value }: typeof loss extends fc.Arbitrary<infer Loss> ? Loss : never,
) {
  const paths = [...tree.keys()];
  const path = paths[at % paths.length] ?? "";
  const body = tree.get(path);
  if (way === "status") tree.set(path, status);
  else if (way === "lost") tree.set(path, "lost");
  else if (way === "content" || typeof body !== "object" || body === null)
    tree.set(path, typeof value === "number" ? [value] : value);
  else {
    const names = Object.keys(body).filter((name) => !counting.has(name));
    const name = names[member % Math.max(1, names.length)];
    if (name !== undefined) tree.set(path, { ...body, [name]: value });
  }
}

/** 100,000 trees in `npm run test:all`. */
const runs = isWhole() ? 100_000 : 1_000;

it("says nothing false of a broken tree", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<keyof typeof machines>("dgxH100", "gh200", "gb200"),
      fc.array(loss, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (name, losses, isLinked) => {
        const { tree, places } = machines[name]();
        for (const each of losses) apply(tree, each);
        const report = await partsOf({ tree, places: isLinked ? { ...places, suppliers: [hgx] } : places });
        for (const kind of partKinds) {
          const isTold = report.told.includes(kind);
          expect(report.untold.some((each) => each.kind === kind)).toBe(!isTold);
          // A card whose model is lost may be of another kind.
          if (isTold && kind !== "nic" && kind !== "dpu")
            expect(some(report, kind).length).toBeGreaterThanOrEqual(truth[name][kind]);
        }
        const cards = some(report, "nic").length + some(report, "dpu").length;
        if (report.told.includes("nic"))
          expect(cards).toBeGreaterThanOrEqual(truth[name].nic + truth[name].dpu);
      },
    ),
    { numRuns: runs },
  );
});
