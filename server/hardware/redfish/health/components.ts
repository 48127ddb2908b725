// Components of a host out of Redfish resources (DSP0268): which properties say how a fan, power supply, sensor, module or drive is. Whatever is missing
// or malformed is not known. Pure.
import { z } from "zod";
import { bmcText } from "@/server/domain/repair/health/bmc/component";
import type {
  Component,
  ComponentKind,
  Range,
  Reading,
  Sign,
} from "@/server/domain/repair/health/bmc/component";
import { text } from "@/server/hardware/redfish/resources/references";

const maxName = 96;
const maxPlace = 128;

const number = z.number().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);

/** A member that may be missing or malformed, and then is not known. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);

const status = optional(z.object({ State: text, Health: text }));
const labelled = optional(z.object({ PartLocation: optional(z.object({ ServiceLabel: text })) }));

const part = z.object({
  Id: text,
  MemberId: text,
  Name: text,
  DeviceLocator: text,
  Status: status,
  Location: labelled,
  PhysicalLocation: labelled,
});
type Part = z.infer<typeof part>;

const healthOf = (value: string | null | undefined): Component["health"] =>
  value === "OK" || value === "Warning" || value === "Critical" ? value : null;

/** The label on the machine, if the BMC knows it. */
function nameOf(found: Part): string {
  const names = [
    found.PhysicalLocation?.PartLocation?.ServiceLabel,
    found.Location?.PartLocation?.ServiceLabel,
    found.DeviceLocator,
    found.Name,
    found.Id,
    found.MemberId,
  ];
  return names.map((name) => bmcText(name, maxName)).find((name) => name !== "") ?? "";
}

/** The kind is in the target already: `fan 3A`, not `fan Fan 3A`. */
const withoutKind = (kind: ComponentKind, name: string): string => {
  const short = name.toLowerCase().startsWith(`${kind.toLowerCase()} `) ? name.slice(kind.length + 1) : name;
  return short.trim() === "" ? name : short.trim();
};

interface More {
  readonly reading?: Reading | null;
  readonly signs?: readonly Sign[];
}

function component(
  kind: ComponentKind,
  place: string,
  body: unknown,
  { reading = null, signs = [] }: More = {},
): Component {
  const found = part.safeParse(body).data;
  return {
    kind,
    name: found === undefined ? "" : withoutKind(kind, nameOf(found)),
    place: bmcText(place, maxPlace),
    health: healthOf(found?.Status?.Health),
    state: bmcText(found?.Status?.State, 32) || null,
    reading,
    signs,
  };
}

const finite = (value: number | null | undefined): number | null =>
  value != null && Number.isFinite(value) ? value : null;

/** A range without room carries nothing: some BMCs report 0 and 0 for limits that they do not have. */
function range(low: number | null | undefined, high: number | null | undefined): Range {
  const [from, to] = [finite(low), finite(high)];
  return from !== null && to !== null && from >= to ? { low: null, high: null } : { low: from, high: to };
}

const oldLimits = {
  LowerThresholdNonCritical: number,
  UpperThresholdNonCritical: number,
  LowerThresholdCritical: number,
  UpperThresholdCritical: number,
  LowerThresholdFatal: number,
  UpperThresholdFatal: number,
};
const oldSensor = z.object({
  ...oldLimits,
  FanName: text,
  Reading: number,
  ReadingUnits: text,
  ReadingCelsius: number,
  ReadingVolts: number,
});

/** A fan, temperature or voltage in `Thermal` and `Power`, which newer services replace by resources of their own. */
function oldReading(body: unknown): Reading | null {
  const found = oldSensor.safeParse(body).data;
  const [value, unit] =
    finite(found?.ReadingCelsius) !== null
      ? [found?.ReadingCelsius, "°C"]
      : finite(found?.ReadingVolts) !== null
        ? [found?.ReadingVolts, "V"]
        : [found?.Reading, unitText(found?.ReadingUnits)];
  const known = finite(value);
  return known === null || found === undefined
    ? null
    : {
        value: known,
        unit: unit ?? "",
        caution: range(found.LowerThresholdNonCritical, found.UpperThresholdNonCritical),
        critical: range(found.LowerThresholdCritical, found.UpperThresholdCritical),
        fatal: range(found.LowerThresholdFatal, found.UpperThresholdFatal),
      };
}

/** UCUM's symbols as people read them (DSP0268, `ReadingUnits` of Sensor). */
const unitNames: Readonly<Record<string, string>> = { Cel: "°C", Percent: "%" };

const unitText = (unit: string | null | undefined): string => {
  const known = bmcText(unit, 16);
  return unitNames[known] ?? known;
};

const limit = optional(z.object({ Reading: number }));
const sensor = z.object({
  Reading: number,
  ReadingUnits: text,
  ReadingType: text,
  Thresholds: optional(
    z.object({
      LowerCaution: limit,
      UpperCaution: limit,
      LowerCritical: limit,
      UpperCritical: limit,
      LowerFatal: limit,
      UpperFatal: limit,
    }),
  ),
});

const kindOfReading: Readonly<Record<string, ComponentKind>> = {
  Temperature: "temperature",
  Voltage: "voltage",
};

/** A member of `Sensors`. */
export function sensorOf(place: string, body: unknown): Component {
  const found = sensor.safeParse(body).data;
  const value = finite(found?.Reading);
  const { LowerCaution, UpperCaution, LowerCritical, UpperCritical, LowerFatal, UpperFatal } =
    found?.Thresholds ?? {};
  const kind = kindOfReading[found?.ReadingType ?? ""] ?? "sensor";
  return component(kind, place, body, {
    reading:
      value === null
        ? null
        : {
            value,
            unit: unitText(found?.ReadingUnits),
            caution: range(LowerCaution?.Reading, UpperCaution?.Reading),
            critical: range(LowerCritical?.Reading, UpperCritical?.Reading),
            fatal: range(LowerFatal?.Reading, UpperFatal?.Reading),
          },
  });
}

const list = z.array(z.unknown()).nullish().catch(null);

const thermal = z.object({ Fans: list, Temperatures: list, Redundancy: list });
const power = z.object({ PowerSupplies: list, Voltages: list, Redundancy: list });

/** The items of one kind; undefined: the resource has no such list. */
const items = (
  kind: ComponentKind,
  place: string,
  found: readonly unknown[] | null | undefined,
): readonly Component[] | undefined =>
  found?.map((item, at) =>
    component(kind, `${place}/${at}`, named(item), {
      reading: kind === "power supply" ? null : oldReading(item),
    }),
  );

const fanNames = z.object({ Name: text, FanName: text });

/** In `Thermal` before version 1.4 a fan's name is its `FanName`. */
const named = (item: unknown): unknown => {
  const found = fanNames.safeParse(item).data;
  return found?.Name == null && found?.FanName != null
    ? Object.assign({}, item, { Name: found.FanName })
    : item;
};

export interface Thermal {
  readonly fans: readonly Component[] | undefined;
  readonly temperatures: readonly Component[] | undefined;
}

export function thermalOf(place: string, body: unknown): Thermal {
  const found = thermal.safeParse(body).data;
  const fans = items("fan", `${place}/Fans`, found?.Fans);
  return {
    fans:
      fans === undefined
        ? undefined
        : [...fans, ...(items("fan redundancy", `${place}/Redundancy`, found?.Redundancy) ?? [])],
    temperatures: items("temperature", `${place}/Temperatures`, found?.Temperatures),
  };
}

export interface Power {
  readonly supplies: readonly Component[] | undefined;
  readonly voltages: readonly Component[] | undefined;
}

export function powerOf(place: string, body: unknown): Power {
  const found = power.safeParse(body).data;
  const supplies = items("power supply", `${place}/PowerSupplies`, found?.PowerSupplies);
  return {
    supplies:
      supplies === undefined
        ? undefined
        : [...supplies, ...(items("power redundancy", `${place}/Redundancy`, found?.Redundancy) ?? [])],
    voltages: items("voltage", `${place}/Voltages`, found?.Voltages),
  };
}

const fan = z.object({ SpeedPercent: optional(z.object({ SpeedRPM: number })) });

/** A member of `ThermalSubsystem/Fans`. Its speed has no limits there. */
export function fanOf(place: string, body: unknown): Component {
  const value = finite(fan.safeParse(body).data?.SpeedPercent?.SpeedRPM);
  const none = range(null, null);
  return component("fan", place, body, {
    reading: value === null ? null : { value, unit: "RPM", caution: none, critical: none, fatal: none },
  });
}

const redundancies = z.object({ FanRedundancy: list, PowerSupplyRedundancy: list });

/** Groups of redundant fans or power supplies in the newer subsystems. They have a status and no name. */
export function redundancyOf(kind: "fan redundancy" | "power redundancy", place: string, body: unknown) {
  const found = redundancies.safeParse(body).data;
  const groups = kind === "fan redundancy" ? found?.FanRedundancy : found?.PowerSupplyRedundancy;
  return (groups ?? []).map((group, at) =>
    component(kind, `${place}/${at}`, Object.assign({ Name: `group ${at + 1}` }, group)),
  );
}

export const supplyOf = (place: string, body: unknown): Component => component("power supply", place, body);
export const adapterOf = (place: string, body: unknown): Component =>
  component("network adapter", place, body);

const leak = z.object({ DetectorState: text, UserLabel: text });

/** `DetectorState` says whether it is wet; the health of the detector itself is something else. Only one that is enabled can say that it is dry. */
export function leakDetectorOf(place: string, body: unknown): Component {
  const found = leak.safeParse(body).data;
  const detected = healthOf(found?.DetectorState);
  const self = component("leak detector", place, body);
  const label = bmcText(found?.UserLabel, maxName);
  const isWet = detected === "Warning" || detected === "Critical";
  const isDry =
    detected === "OK" && self.state === "Enabled" && (self.health === "OK" || self.health === null);
  return {
    ...self,
    name: label === "" ? self.name : label,
    health: isDry ? "OK" : self.health === "OK" ? null : self.health,
    signs: isWet
      ? [
          {
            severity: detected === "Critical" ? "critical" : "warning",
            words: `a leak is detected (${detected})`,
          },
        ]
      : [],
  };
}

const secured = z.object({ Id: text, PhysicalSecurity: optional(z.object({ IntrusionSensor: text })) });

/** The sensor at a chassis's cover; null: it has none. Redfish knows `Normal`, `HardwareIntrusion` and `TamperingDetected`; another value is unknown. */
export function intrusionOf(place: string, body: unknown): Component | null {
  const found = secured.safeParse(body).data;
  const sensed = found?.PhysicalSecurity?.IntrusionSensor ?? null;
  if (sensed === null) return null;
  const wrong = { HardwareIntrusion: "it was opened", TamperingDetected: "it was tampered with" }[sensed];
  return {
    kind: "chassis",
    name: bmcText(found?.Id, maxName),
    place: bmcText(place, maxPlace),
    health: sensed === "Normal" ? "OK" : null,
    state: null,
    reading: null,
    signs:
      wrong === undefined
        ? []
        : [{ severity: "critical", words: `${wrong}: its intrusion sensor reads ${sensed}` }],
  };
}

/** What is left of a medium, in percent. */
const lowLife = 10;

function lifeSigns(left: number | null | undefined): readonly Sign[] {
  const percent = finite(left);
  // Outside 0 to 100 it is no percentage.
  if (percent === null || percent < 0 || percent > lowLife) return [];
  const words = `${Math.round(percent)} % of its media life is left`;
  return [{ severity: percent === 0 ? "critical" : "warning", words }];
}

const drive = z.object({ FailurePredicted: flag, PredictedMediaLifeLeftPercent: number });

export function driveOf(place: string, body: unknown): Component {
  const found = drive.safeParse(body).data;
  const failing: readonly Sign[] =
    found?.FailurePredicted === true ? [{ severity: "critical", words: "its BMC predicts a failure" }] : [];
  return component("drive", place, body, {
    signs: [...failing, ...lifeSigns(found?.PredictedMediaLifeLeftPercent)],
  });
}

const processor = z.object({ ProcessorType: text });

export const processorOf = (place: string, body: unknown): Component =>
  component(processor.safeParse(body).data?.ProcessorType === "GPU" ? "GPU" : "processor", place, body);

const metrics = z.object({
  HealthData: optional(
    z.object({
      AlarmTrips: optional(
        z.object({
          UncorrectableECCError: flag,
          CorrectableECCError: flag,
          AddressParityError: flag,
          Temperature: flag,
          SpareBlock: flag,
        }),
      ),
      DataLossDetected: flag,
      PredictedMediaLifeLeftPercent: number,
    }),
  ),
});

/** `counted`: its `MemoryMetrics`; undefined: it has none. */
export function memoryOf(place: string, body: unknown, counted: unknown): Component {
  const data = metrics.safeParse(counted).data?.HealthData;
  const trips = data?.AlarmTrips;
  const trip = (is: boolean | null | undefined, severity: Sign["severity"], words: string): readonly Sign[] =>
    is === true ? [{ severity, words }] : [];
  return component("memory", place, body, {
    signs: [
      ...trip(trips?.UncorrectableECCError, "critical", "an uncorrectable ECC error was counted"),
      ...trip(trips?.AddressParityError, "critical", "an address parity error was counted"),
      ...trip(data?.DataLossDetected, "critical", "a loss of data was detected"),
      ...trip(trips?.CorrectableECCError, "warning", "correctable ECC errors passed their limit"),
      ...trip(trips?.Temperature, "warning", "its temperature passed its limit"),
      ...trip(trips?.SpareBlock, "warning", "its spare blocks run out"),
      ...lifeSigns(data?.PredictedMediaLifeLeftPercent),
    ],
  });
}
