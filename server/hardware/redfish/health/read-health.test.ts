// Health of the two captured machines, with faults in place of some resources, and of answers that make no sense.
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText } from "@/server/testing/any-text";
import { partNames } from "@/server/domain/repair/health/bmc/component";
import type { HealthReading } from "@/server/domain/repair/health/bmc/component";
import { bmcReport } from "@/server/domain/repair/health/bmc/report";
import { reportInput } from "@/server/domain/repair/health/report";
import {
  driveOf,
  fanOf,
  intrusionOf,
  leakDetectorOf,
  memoryOf,
  powerOf,
  processorOf,
  redundancyOf,
  sensorOf,
  thermalOf,
} from "@/server/hardware/redfish/health/components";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { message, send, TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

interface Read {
  readonly health: HealthReading;
  readonly requests: number;
  readonly most: number;
}

async function readOf(
  tree: "dell" | "lenovo",
  prepare: (bmc: TreeBmc) => void = () => undefined,
): Promise<Read> {
  const bmc = await TreeBmc.start(tree);
  const { client } = clientForTests();
  try {
    const target = await discoveredTarget(bmc, client);
    prepare(bmc);
    bmc.takeLines();
    const type = typeOf(client, tree === "dell" ? "idrac" : "xclarity");
    const read = await type.health?.read(target, {}, within);
    if (read?.ok !== true) throw new Error(read?.error.message);
    return { health: read.value.health, requests: bmc.takeLines().length, most: bmc.atATime.most };
  } finally {
    await client.close();
    await bmc.stop();
  }
}

const report = ({ health }: Read) => bmcReport(health, null, 0);
const counts = ({ health }: Read) =>
  Object.fromEntries(partNames.map((part) => [part, health[part].components.length]));
const unread = ({ health }: Read) => partNames.filter((part) => health[part].unread !== null);

it("reads a Dell machine with two requests at a time", async () => {
  const read = await readOf("dell");
  expect(unread(read)).toEqual([]);
  expect(counts(read)).toEqual({
    ...{ fans: 7, powerSupplies: 2, sensors: 54, leakDetectors: 0, intrusion: 1, networkAdapters: 4 },
    ...{ memory: 16, processors: 3, drives: 3 },
  });
  expect(read.most).toBeLessThanOrEqual(2);
  const { alerts, successes, notOffered } = report(read);
  expect(alerts).toEqual([]);
  expect(notOffered).toEqual(["leakDetectors"]);
  const targets = successes.map(({ target }) => target);
  for (const target of [
    "memory DIMM A5",
    "GPU Video.Slot.2-1",
    "temperature CPU1 Temp",
    "chassis System.Embedded.1",
  ])
    expect(targets).toContain(target);
});

it("takes fewer requests where the BMC expands links", async () => {
  const [one, other] = [await readOf("dell"), await readOf("dell", (bmc) => (bmc.expands = true))];
  expect(counts(other)).toEqual(counts(one));
  expect(other.requests).toBeLessThan(one.requests);
});

it("reads a Lenovo machine, whose temperatures have limits and no health", async () => {
  const read = await readOf("lenovo");
  expect(unread(read)).toEqual([]);
  const { alerts, notOffered, successes } = report(read);
  expect(alerts).toEqual([]);
  expect(notOffered).toEqual(["leakDetectors", "intrusion"]);
  expect(successes.map(({ target }) => target)).toContain("temperature Ambient Temp");
});

const lenovo = "/redfish/v1/Chassis/1/Thermal";

it("finds a fan that stopped, a hot inlet, a drive that will fail, a lost power supply, a leak and an open cover", async () => {
  const dell = "/redfish/v1/Chassis/System.Embedded.1";
  const drive =
    "/redfish/v1/Systems/System.Embedded.1/Storage/CPU.1/Drives/Disk.Bay.1:Enclosure.Internal.0-1";
  const read = await readOf("dell", (bmc) => {
    const change = (path: string, with_: object) =>
      bmc.replaced.set(path, { ...bmc.contentOf(path), ...with_ });
    change(`${dell}/Thermal`, {
      Fans: [
        {
          Name: "Fan1A",
          Reading: 0,
          ReadingUnits: "RPM",
          LowerThresholdCritical: 480,
          Status: { Health: "Critical", State: "Enabled" },
        },
      ],
      Temperatures: [
        { Name: "Inlet", ReadingCelsius: 48, UpperThresholdCritical: 47, Status: { State: "Enabled" } },
      ],
    });
    change(`${dell}/Power`, {
      PowerSupplies: [{ Name: "PS2 Status", Status: { Health: "Critical", State: "UnavailableOffline" } }],
    });
    change(dell, { PhysicalSecurity: { IntrusionSensor: "HardwareIntrusion" } });
    change(drive, { FailurePredicted: true, PredictedMediaLifeLeftPercent: 3 });
    const leaks = `${dell}/ThermalSubsystem/LeakDetection`;
    change(`${dell}/ThermalSubsystem`, { LeakDetection: { "@odata.id": leaks } });
    bmc.replaced.set(leaks, { LeakDetectors: { "@odata.id": `${leaks}/LeakDetectors` } });
    bmc.replaced.set(`${leaks}/LeakDetectors`, {
      Members: [{ "@odata.id": `${leaks}/LeakDetectors/1` }, { "@odata.id": `${leaks}/LeakDetectors/2` }],
    });
    const detector = (id: string, state: string) => ({
      Id: id,
      Name: id,
      DetectorState: state,
      Status: { State: "Enabled", Health: "OK" },
    });
    bmc.replaced.set(`${leaks}/LeakDetectors/1`, detector("cold plate", "Critical"));
    bmc.replaced.set(`${leaks}/LeakDetectors/2`, detector("manifold", "OK"));
  });
  const { alerts, successes } = report(read);
  expect(alerts.map(({ message: words }) => words).sort()).toEqual([
    "Chassis System.Embedded.1: it was opened: its intrusion sensor reads HardwareIntrusion",
    expect.stringMatching(/^Drive .*: its BMC predicts a failure; 3 % of its media life is left$/),
    "Fan Fan1A: reads 0 RPM (critical at 480 RPM or less); its BMC reports health Critical",
    "Leak detector cold plate: a leak is detected (Critical)",
    "Power supply PS2 Status: its BMC reports health Critical; its state is UnavailableOffline",
    "Temperature Inlet: reads 48 °C (critical at 47 °C or more)",
  ]);
  expect(successes.map(({ target }) => target)).toContain("leak detector manifold");
});

it("a resource that fails is said with its part, and the other parts are read", async () => {
  const read = await readOf("lenovo", (bmc) => {
    bmc.fault = ({ path }, response) =>
      path.startsWith(lenovo) && (send(response, 500, message("Base.1.8.GeneralError", "busy")), true);
  });
  expect(unread(read)).toEqual(["fans", "sensors"]);
  expect(read.health.powerSupplies.components).not.toEqual([]);
  expect(report(read).alerts[0]?.message).toContain("500");
});

it("a list with fewer members than it counts is not read", async () => {
  const list = "/redfish/v1/Systems/1/Memory";
  const read = await readOf("lenovo", (bmc) =>
    bmc.replaced.set(list, { ...bmc.contentOf(list), "Members@odata.count": 99 }),
  );
  expect(unread(read)).toEqual(["memory"]);
});

it("reads the newer resources where the older are missing", async () => {
  const dell = "/redfish/v1/Chassis/System.Embedded.1";
  const read = await readOf("dell", (bmc) => {
    const { Thermal: _thermal, Power: _power, ...rest } = bmc.contentOf(dell);
    bmc.replaced.set(dell, rest);
  });
  expect(unread(read)).toEqual([]);
  expect(counts(read)).toMatchObject({ fans: 7, powerSupplies: 2 });
  expect(read.health.sensors.components.length).toBeGreaterThan(20);
  expect(report(read).alerts).toEqual([]);
});

it("whatever JSON a BMC answers, the components make a valid report", () => {
  const words = fc.oneof(
    fc.constantFrom("OK", "Critical", "Warning", "Absent", "Enabled", "HardwareIntrusion"),
    anyText(),
  );
  const leaf = fc.oneof(words, fc.double(), fc.boolean(), fc.constant(null), fc.bigInt().map(Number));
  const names = fc.constantFrom(
    ...[
      "Id",
      "Name",
      "Status",
      "Health",
      "State",
      "Reading",
      "ReadingCelsius",
      "Fans",
      "Temperatures",
      "Redundancy",
    ],
    ...[
      "PowerSupplies",
      "Voltages",
      "Thresholds",
      "LowerCritical",
      "UpperThresholdCritical",
      "FailurePredicted",
    ],
    ...[
      "PredictedMediaLifeLeftPercent",
      "HealthData",
      "AlarmTrips",
      "UncorrectableECCError",
      "PhysicalSecurity",
    ],
    ...[
      "IntrusionSensor",
      "DetectorState",
      "UserLabel",
      "ProcessorType",
      "FanRedundancy",
      "Location",
      "SpeedPercent",
    ],
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "medium" },
      leaf,
      fc.dictionary(names, tie("tree"), { maxKeys: 8 }),
      fc.array(tie("tree"), { maxLength: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 6 }), (bodies) => {
      const each = bodies.flatMap((body) => {
        const intrusion = intrusionOf("c", body);
        const thermal = thermalOf("c", body);
        const power = powerOf("c", body);
        return [
          ...[fanOf("f", body), driveOf("d", body), memoryOf("m", body, body), processorOf("p", body)],
          ...[sensorOf("s", body), leakDetectorOf("l", body), ...(intrusion === null ? [] : [intrusion])],
          ...[...(thermal.fans ?? []), ...(thermal.temperatures ?? []), ...(power.supplies ?? [])],
          ...[...(power.voltages ?? []), ...redundancyOf("fan redundancy", "r", body)],
        ];
      });
      const none = { components: [], isOffered: false, unread: null };
      const health: HealthReading = {
        ...{ fans: { components: each, isOffered: true, unread: null }, powerSupplies: none, sensors: none },
        ...{ leakDetectors: none, intrusion: none, networkAdapters: none, memory: none, processors: none },
        drives: none,
      };
      const { alerts, successes } = bmcReport(health, null, 0);
      expect(reportInput.safeParse({ alerts, successes }).error).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});
