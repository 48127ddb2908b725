// A host to enrol as people write it: a line of a CSV file, a form, or flags of the command. All values are text, and empty ones are dropped.
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import { z } from "zod";
import { bmcSystem } from "@/server/domain/hardware/bmc-system";
import { fingerprint } from "@/server/domain/hardware/certificate";
import { machineTypeNames } from "@/server/domain/hardware/machine-types";
import { changedToDate, changedValue } from "@/server/domain/hosts/enrolment/spreadsheet";
import {
  isPlaceholderSerial,
  placeholderSerialText,
} from "@/server/domain/hosts/inventory/placeholder-serial";
import { isOwnUuid, placeholderUuidText } from "@/server/domain/hosts/inventory/system-uuid";
import { macAddress, nodeName } from "@/server/domain/hosts/nodes/node-values";

/** The columns of a file in the order of the documentation, each with its member. */
export const enrolmentColumns = {
  name: "name",
  bmc_address: "bmcAddress",
  bmc_system: "bmcSystem",
  bmc_username: "bmcUsername",
  bmc_password: "bmcPassword",
  bmc_password_from: "bmcPasswordFrom",
  bmc_credentials: "bmcCredentials",
  certificate_sha256: "certificate",
  serial: "serial",
  system_uuid: "systemUuid",
  hardware_type: "hardwareType",
  sku: "sku",
  rack: "rack",
  slot: "slot",
  macs: "macs",
  network_interfaces: "networkInterfaces",
  labels: "labels",
} as const;
export type EnrolmentColumn = keyof typeof enrolmentColumns;
export type HostMember = (typeof enrolmentColumns)[EnrolmentColumn];

const isColumn = (name: string): name is EnrolmentColumn => Object.hasOwn(enrolmentColumns, name);
export const columnNames: readonly EnrolmentColumn[] = Object.keys(enrolmentColumns).filter(isColumn);
export const columnOf = (name: string): EnrolmentColumn | null => (isColumn(name) ? name : null);

/** Other names that people give columns. */
const otherNames: Readonly<Record<string, EnrolmentColumn>> = {
  serial_number: "serial",
  mac: "macs",
  mac_address: "macs",
  mac_addresses: "macs",
  uuid: "system_uuid",
};

/** A column's name as it is in a header, such as "BMC Address". */
export function columnName(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name;
}

/** The column of a host's member. */
export const columnOfMember = (member: string): string =>
  columnNames.find((column) => enrolmentColumns[column] === member) ?? member;

const members = columnNames.map((column) => enrolmentColumns[column]);

/** Maximum length of a cell. A request has at most 1 MiB. */
const longestCell = 4_096;

/** One host as clients send it: the cells of its line. */
export const hostTexts = z.partialRecord(z.enum(members), z.string().max(longestCell));
export type HostTexts = z.infer<typeof hostTexts>;

const text = (most: number) => z.string().max(most, `must be at most ${most} characters`);

const unless = (problemOf: (value: string) => string | null) => (value: string, context: z.RefinementCtx) => {
  const message = problemOf(value);
  if (message !== null) context.addIssue({ code: "custom", message });
};

/** A value that names something, as it was entered. */
const entered = (most: number) => text(most).superRefine(unless(changedValue));

/** A list in one cell, separated by whitespace, commas or semicolons. */
const items = (value: string): readonly string[] => value.split(/[\s,;]+/).filter((item) => item !== "");

/** Scheme, host name and port and nothing after them; the scheme defaults to `https://` (server/hardware/redfish/client/bmcs.ts). */
export const bmcAddress = z.string().transform((value, context) => {
  const url = URL.parse(
    /^[a-z]+:\/\//i.test(value) ? value : `https://${isBareIpv6(value) ? `[${value}]` : value}`,
  );
  const problem =
    url === null || (url.protocol !== "https:" && url.protocol !== "http:") || url.hostname === ""
      ? "must be a name, an IP address, or an http:// or https:// address"
      : url.username !== "" || url.password !== ""
        ? "must not contain a user or password: use the columns for them"
        : url.pathname !== "/" || url.search !== "" || url.hash !== ""
          ? "must be scheme, name and port only"
          : null;
  if (url !== null && problem === null) return url.origin;
  context.addIssue({ code: "custom", message: problem ?? "" });
  return z.NEVER;
});

const isBareIpv6 = (value: string): boolean => /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(value);

/** `key=value` pairs. */
const labels = z.string().transform((value, context) => {
  const pairs = value
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => /^([^=]+)=(.*)$/.exec(pair));
  const found: Record<string, string> = {};
  for (const pair of pairs) {
    const [, key = "", content = ""] = pair ?? [];
    if (key === "") {
      context.addIssue({ code: "custom", message: "must be key=value pairs with semicolons between them" });
      return z.NEVER;
    }
    found[key.trim()] = content.trim();
  }
  const problem = hostLabels.safeParse(found).error?.issues[0]?.message;
  if (problem !== undefined) {
    context.addIssue({ code: "custom", message: problem });
    return z.NEVER;
  }
  return found;
});

/** A MAC address as switches and spreadsheets write it: b83f.d290.97cb, B83FD29097CB. */
const withColons = (value: string): string =>
  /^([0-9a-f]{12}|([0-9a-f]{4}\.){2}[0-9a-f]{4})$/i.test(value)
    ? value.replaceAll(".", "").replaceAll(/..(?!$)/g, "$&:")
    : value;

const macs = z
  .string()
  .transform(items)
  .pipe(
    z
      .array(z.string().superRefine(unless(changedValue)).transform(withColons).pipe(macAddress))
      .max(128, "must be at most 128"),
  );
const interfaces = z
  .string()
  .transform(items)
  .pipe(z.array(text(64)).max(64, "must be at most 64"));

/** Parses the texts of a host. */
export const hostLine = z.strictObject({
  name: nodeName,
  bmcAddress,
  bmcSystem: bmcSystem.optional(),
  bmcUsername: text(128).optional(),
  bmcPassword: text(256).optional(),
  bmcPasswordFrom: z
    .string()
    .regex(/^(env:[A-Za-z_][A-Za-z0-9_]{0,127}|file:.{1,1024})$/, "must be env:NAME or file:path")
    .optional(),
  bmcCredentials: text(64).optional(),
  certificate: fingerprint.optional(),
  serial: entered(128)
    .superRefine(unless(changedToDate))
    .superRefine(unless((value) => (isPlaceholderSerial(value) ? placeholderSerialText : null)))
    .optional(),
  systemUuid: z
    .guid("must be a UUID")
    .transform((id) => id.toLowerCase())
    .superRefine(unless((value) => (isOwnUuid(value) ? null : placeholderUuidText)))
    .optional(),
  hardwareType: z.enum(machineTypeNames, `must be one of ${machineTypeNames.join(", ")}`).optional(),
  sku: text(256).optional(),
  rack: entered(64).optional(),
  slot: entered(64).superRefine(unless(changedToDate)).optional(),
  macs: macs.optional(),
  networkInterfaces: interfaces.optional(),
  labels: labels.optional(),
} satisfies Record<HostMember, z.ZodType>);
export type HostLine = z.output<typeof hostLine>;

/** A fault of a host's line. It never contains a value of the line, because a cell in the wrong column may be a password. */
export const lineFault = z
  .strictObject({
    /** Line of the file, from 1. The first host of a file with a header is on line 2. */
    line: z.number(),
    /** Such as `bmc_address`; empty: the line as a whole. */
    column: z.string(),
    message: z.string(),
  })
  .readonly();
export type LineFault = z.infer<typeof lineFault>;
