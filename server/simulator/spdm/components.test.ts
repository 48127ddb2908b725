// Measurements of components over Redfish: proven ones become a baseline, another firmware is seen although its version is the same, and what is not proven is unknown.
import { describe, expect, it } from "vitest";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { judgePlatform, queryOf } from "@/server/domain/hosts/platform/judge";
import { stepBench } from "@/server/simulator/testing/step-bench";
import type { Worker } from "@/server/simulator/testing/steps";

const bench = stepBench();

/** A baseline that names what the components of this host measure. */
async function baselineOf(worker: Worker): Promise<PlatformBaseline> {
  const settings = await worker.readSettings();
  if (settings?.measurements === undefined) throw new Error(JSON.stringify(settings?.left));
  return { bmc: { accounts: [], subscriptions: [], measurements: settings.measurements } };
}

async function itemsOf(worker: Worker, baseline: PlatformBaseline) {
  const { result } = await worker.readPlatform(queryOf(baseline));
  if (!result.ok || result.value.reading == null) throw new Error(JSON.stringify(result));
  return judgePlatform(baseline, result.value.reading).filter(({ name }) => name.startsWith("measurements"));
}

// Dell's hands out the result of a task, Lenovo's answers at once.
describe.each(["dell", "lenovo"] as const)("components of a %s host", (vendor) => {
  it("are as their baseline says, without what differs from device to device", async () => {
    const worker = await bench.on(vendor);
    const baseline = await baselineOf(worker);
    const [values] = Object.values(baseline.bmc?.measurements ?? {});
    expect(Object.keys(values ?? {})).toEqual(["1", "2", "3"]);
    const items = await itemsOf(worker, baseline);
    expect(items.map(({ verdict }) => verdict)).toEqual(items.map(() => "same"));
    expect(items.length).toBe(Object.keys(baseline.bmc?.measurements ?? {}).length);
  });

  it("whose firmware is another one that shows the same version differ", async () => {
    const worker = await bench.on(vendor);
    const baseline = await baselineOf(worker);
    worker.host.script({ quirks: ["changedComponent"] });
    expect(await itemsOf(worker, baseline)).toEqual(
      Object.keys(baseline.bmc?.measurements ?? {}).map((id) =>
        expect.objectContaining({
          ...{
            name: `measurements ${id}`,
            verdict: "different",
            found: expect.stringMatching(/^2 [0-9a-f]{12}…$/),
          },
        }),
      ),
    );
  });

  it("that show what they signed for an earlier request are not proven, and become no baseline", async () => {
    const worker = await bench.on(vendor);
    const baseline = await baselineOf(worker);
    worker.host.script({ quirks: ["replaysMeasurements"] });
    for (const item of await itemsOf(worker, baseline))
      expect(item).toMatchObject({
        verdict: "unknown",
        found: expect.stringContaining("answers another request"),
      });
    expect((await worker.readSettings())?.left).toContainEqual(
      expect.stringMatching(/^measurements of components: GPU_\S+: the report answers another request/),
    );
  });
});

it("one that does not answer is unknown, and the other counts", async () => {
  const worker = await bench.on("lenovo");
  const baseline = await baselineOf(worker);
  worker.host.script({ quirks: ["deafComponent"] });
  expect(await itemsOf(worker, baseline)).toMatchObject([
    { verdict: "unknown", found: expect.stringContaining("The component does not answer.") },
    { verdict: "same" },
  ]);
});

it("a component that is gone is not listed, and another one in its place signs for itself", async () => {
  const worker = await bench.on("dell");
  const baseline = await baselineOf(worker);
  const slot = "0000:17:00.0";
  worker.host.script({ parts: { [slot]: { replaced: 1 } } });
  expect((await itemsOf(worker, baseline)).map(({ verdict }) => verdict)).toEqual(["same"]);
  worker.host.script({ parts: { [slot]: { lost: "bus" } } });
  expect(await itemsOf(worker, baseline)).toMatchObject([
    { verdict: "unknown", found: "the BMC shows none" },
  ]);
});

it("a host without such components has none to take", async () => {
  const worker = await bench.on("generic");
  expect((await worker.readSettings())?.left).toContain("measurements of components: the BMC shows none");
});
