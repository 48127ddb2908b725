// What a generic BMC reports of its machine's health: fans, temperatures, power supplies, leak detectors and an event log.
import { collection, link, ok, root, system, type Entries } from "@/server/simulator/bmc/generic/parts";

const chassis = `${root}/Chassis/1`;
const leaks = `${chassis}/ThermalSubsystem/LeakDetection`;

/** For the chassis, which links to them. */
export const healthLinks = {
  Thermal: link(`${chassis}/Thermal`),
  Power: link(`${chassis}/Power`),
  ThermalSubsystem: link(`${chassis}/ThermalSubsystem`),
};

/** For the system. */
export const logServices = link(`${system}/LogServices`);

/** What names a member of an array of a resource (DSP0266, "Referenceable members"). */
const memberOf = (resource: string, list: string, at: number) => ({
  "@odata.id": `${chassis}/${resource}#/${list}/${at}`,
  MemberId: String(at),
});

const fans = ["1", "2", "3", "4"].map((name, at) => ({
  ...{ ...memberOf("Thermal", "Fans", at), Name: `Fan ${name}`, Reading: 9_600, ReadingUnits: "RPM" },
  ...{ LowerThresholdNonCritical: 1_800, LowerThresholdCritical: 1_200, Status: ok },
}));

const temperatures = [
  ["Inlet", 24, 42],
  ["CPU 1", 51, 98],
  ["CPU 2", 49, 98],
].map(([Name, ReadingCelsius, UpperThresholdCritical], at) => ({
  ...{
    ...memberOf("Thermal", "Temperatures", at),
    Name: `${Name} Temp`,
    ReadingCelsius,
    UpperThresholdCritical,
    Status: ok,
  },
}));

const supplies = ["1", "2"].map((name, at) => ({
  ...{
    ...memberOf("Power", "PowerSupplies", at),
    Name: `PSU ${name}`,
    PowerCapacityWatts: 2_400,
    LineInputVoltage: 230,
    Status: ok,
  },
}));

const detector = (id: string, name: string) =>
  [
    `${leaks}/LeakDetectors/${id}`,
    {
      ...{ "@odata.type": "#LeakDetector.v1_4_0.LeakDetector", Id: id, Name: name, Status: ok },
      ...{ LeakDetectorType: "Moisture", DetectorState: "OK" },
    },
  ] as const;

export const health = (): Entries => [
  [
    `${chassis}/Thermal`,
    {
      "@odata.type": "#Thermal.v1_7_1.Thermal",
      Id: "Thermal",
      Name: "Thermal",
      Fans: fans,
      Temperatures: temperatures,
    },
  ],
  [
    `${chassis}/Power`,
    { "@odata.type": "#Power.v1_7_1.Power", Id: "Power", Name: "Power", PowerSupplies: supplies },
  ],
  [
    `${chassis}/ThermalSubsystem`,
    {
      ...{ "@odata.type": "#ThermalSubsystem.v1_3_0.ThermalSubsystem", Id: "ThermalSubsystem" },
      ...{ Name: "Thermal subsystem", Status: ok, LeakDetection: link(leaks) },
    },
  ],
  [
    leaks,
    {
      ...{
        "@odata.type": "#LeakDetection.v1_1_0.LeakDetection",
        Id: "LeakDetection",
        Name: "Leak detection",
      },
      ...{ Status: ok, LeakDetectors: link(`${leaks}/LeakDetectors`) },
    },
  ],
  collection(
    `${leaks}/LeakDetectors`,
    "LeakDetectorCollection",
    ["1", "2"].map((id) => `${leaks}/LeakDetectors/${id}`),
  ),
  detector("1", "Cold plates"),
  detector("2", "Manifold"),
  collection(`${system}/LogServices`, "LogServiceCollection", [`${system}/LogServices/Event`]),
  [
    `${system}/LogServices/Event`,
    {
      ...{
        "@odata.type": "#LogService.v1_5_0.LogService",
        Id: "Event",
        Name: "Event log",
        ServiceEnabled: true,
      },
      ...{
        LogEntryType: "Event",
        OverWritePolicy: "WrapsWhenFull",
        Entries: link(`${system}/LogServices/Event/Entries`),
      },
    },
  ],
];
