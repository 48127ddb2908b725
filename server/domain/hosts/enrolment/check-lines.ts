// Which hosts of a list can be enrolled, and what is wrong with the others. A faulty line does not hold up the rest.
import { columnOfMember, enrolmentColumns, hostLine } from "@/server/domain/hosts/enrolment/host-line";
import type { HostLine, HostMember, LineFault } from "@/server/domain/hosts/enrolment/host-line";
import { onlySystem } from "@/server/domain/hardware/bmc-system";
import type { FileLine } from "@/server/domain/hosts/enrolment/list-rows";
import { formatIssue } from "@/server/domain/schema-text";

/** For all hosts without their own credentials. */
export interface SharedCredential {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Name of one of the site's credential sets, instead of user and password. */
  readonly set?: string | undefined;
}

/** A host that can be enrolled, judging by the list alone. */
export interface HostToAdd extends Omit<
  HostLine,
  "bmcUsername" | "bmcPassword" | "bmcPasswordFrom" | "bmcCredentials"
> {
  readonly line: number;
  readonly credential: HostCredential;
}

/** How to sign in: with a credential set of the site, or with the host's own user and password. */
export type HostCredential =
  | { readonly kind: "set"; readonly name: string }
  | { readonly kind: "own"; readonly username: string; readonly password: string };

export interface ReadLine {
  readonly line: number;
  /** Null: it cannot be read. */
  readonly name: string | null;
  readonly host: HostToAdd | null;
  readonly faults: readonly LineFault[];
}

/** Members that must be unique to a host. */
export const ownMembers = ["name", "serial", "systemUuid", "bmcAddress"] as const;
export type OwnMember = (typeof ownMembers)[number];

/** Serials that differ in case only are one: people and spreadsheets change it. Pure. */
export const caseless = (serial: string): string => serial.toLowerCase();

/** Address and system together identify one host, because one Redfish service may have the systems of several. Pure. */
export const placeAt = (address: string, system: string): string => `${address} ${system}`;

/** Values in use, with the name of the host that has each. BMC addresses are in the form of `placeAt`, serials in that of `caseless`. */
export type KnownValues = Readonly<Record<OwnMember | "macs", ReadonlyMap<string, string>>>;

export interface ReadContext {
  readonly credential: SharedCredential;
  /** Values of the secrets that the list refers to as `env:NAME` and `file:path`. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Trims all values except passwords, which are taken verbatim. */
function present(texts: FileLine["texts"]): Partial<Record<HostMember, string>> {
  const found: Partial<Record<HostMember, string>> = {};
  for (const member of Object.values(enrolmentColumns)) {
    const text = texts[member] ?? "";
    const value = member === "bmcPassword" ? text : text.trim();
    if (value !== "") found[member] = value;
  }
  return found;
}

const missing = "is missing";

/** The password of a host, or why there is none. */
function passwordOf(
  { bmcPassword, bmcPasswordFrom }: HostLine,
  { credential, secrets }: ReadContext,
): { readonly password: string } | { readonly column: string; readonly message: string } {
  if (bmcPassword !== undefined && bmcPasswordFrom !== undefined)
    return { column: "bmc_password_from", message: "give a password or a reference to one, not both" };
  if (bmcPassword !== undefined) return { password: bmcPassword };
  if (bmcPasswordFrom !== undefined) {
    const value = Object.hasOwn(secrets, bmcPasswordFrom) ? secrets[bmcPasswordFrom] : undefined;
    return value === undefined || value === ""
      ? { column: "bmc_password_from", message: `no value given for ${bmcPasswordFrom}` }
      : { password: value };
  }
  return credential.password === undefined || credential.password === ""
    ? { column: "bmc_password", message: `${missing}: give one here, or one for all hosts` }
    : { password: credential.password };
}

interface CellFault {
  readonly column: string;
  readonly message: string;
}

/** How to sign in to the host, or what is missing. Its own line takes precedence over the shared credentials. */
function credentialOf(cells: HostLine, context: ReadContext): HostCredential | readonly CellFault[] {
  const { bmcCredentials, bmcUsername, bmcPassword, bmcPasswordFrom } = cells;
  const own = [bmcUsername, bmcPassword, bmcPasswordFrom].some((value) => value !== undefined);
  if (bmcCredentials !== undefined)
    return own
      ? [
          {
            column: "bmc_credentials",
            message: "give a credential set or the host's own credentials, not both",
          },
        ]
      : { kind: "set", name: bmcCredentials };
  const { set, username: shared } = context.credential;
  if (!own && set !== undefined && set !== "") return { kind: "set", name: set };
  const username = bmcUsername ?? shared ?? "";
  const found = passwordOf(cells, context);
  const faults = [
    ...(username === ""
      ? [{ column: "bmc_username", message: `${missing}: give one here, or one for all hosts` }]
      : []),
    ...("message" in found ? [found] : []),
  ];
  return faults.length > 0 || "message" in found
    ? faults
    : { kind: "own", username, password: found.password };
}

/** Checks one line on its own. Pure. */
export function readLine({ line, texts, faults }: FileLine, context: ReadContext): ReadLine {
  const cells = present(texts);
  const name = hostLine.shape.name.safeParse(cells.name).data ?? null;
  if (faults.length > 0) return { line, name, host: null, faults };
  const parsed = hostLine.safeParse(cells, { error: formatIssue });
  if (!parsed.success)
    return {
      line,
      name,
      host: null,
      faults: parsed.error.issues.map(({ path: [member], code, message }) => ({
        line,
        column: columnOfMember(String(member)),
        message: code === "invalid_type" ? missing : message,
      })),
    };
  const {
    bmcUsername: _,
    bmcPassword: __,
    bmcPasswordFrom: ___,
    bmcCredentials: ____,
    ...host
  } = parsed.data;
  const credential = credentialOf(parsed.data, context);
  return "kind" in credential
    ? { line, name, host: { ...host, line, credential }, faults: [] }
    : { line, name, host: null, faults: credential.map((fault) => ({ line, ...fault })) };
}

export interface Surroundings {
  readonly known: KnownValues;
  readonly skus: ReadonlySet<string>;
  /** Names of the site's credential sets. */
  readonly credentialSets: ReadonlySet<string>;
}

const ownText: Readonly<Record<OwnMember, string>> = {
  name: "name",
  serial: "serial number",
  systemUuid: "system UUID",
  bmcAddress: "BMC address",
};

/** A value that must be unique to the host, with its column and label. */
interface OwnValue {
  readonly value: string;
  readonly column: string;
  readonly words: string;
  /** What else can be done about a duplicate. */
  readonly hint: string;
}

function ownValuesOf(host: HostToAdd, member: keyof KnownValues): readonly OwnValue[] {
  if (member === "macs")
    return [...new Set(host.macs)].map((value) => ({
      value,
      column: "macs",
      words: "MAC address",
      hint: "",
    }));
  const value = host[member];
  if (value === undefined) return [];
  if (member !== "bmcAddress")
    return [
      {
        value: member === "serial" ? caseless(value) : value,
        column: columnOfMember(member),
        words: ownText[member],
        hint: "",
      },
    ];
  const system = host.bmcSystem ?? onlySystem;
  return [
    {
      value: placeAt(value, system),
      ...(system === onlySystem
        ? {
            column: columnOfMember(member),
            words: ownText.bmcAddress,
            hint: "; if several hosts share the BMC, give each its bmc_system",
          }
        : { column: columnOfMember("bmcSystem"), words: "system at the same BMC address", hint: "" }),
    },
  ];
}

/** Checks hosts against each other and against enrolled ones. Of two equal lines, the first one is kept. Pure. */
export function compareLines(lines: readonly ReadLine[], around: Surroundings): readonly ReadLine[] {
  const seen: Record<keyof KnownValues, Map<string, number>> = {
    macs: new Map(),
    name: new Map(),
    serial: new Map(),
    systemUuid: new Map(),
    bmcAddress: new Map(),
  };
  return lines.map((read) => {
    const { host, line } = read;
    if (host === null) return read;
    const faults: LineFault[] = [];
    for (const member of [...ownMembers, "macs"] as const)
      for (const { value, column, words, hint } of ownValuesOf(host, member)) {
        const earlier = seen[member].get(value);
        const other = around.known[member].get(value);
        if (earlier !== undefined)
          faults.push({ line, column, message: `line ${earlier} has the same ${words}${hint}` });
        else seen[member].set(value, line);
        if (other !== undefined)
          faults.push({
            line,
            column,
            message: `host ${other} already has this ${words}: remove the line, or delete that host first${hint}`,
          });
      }
    if (host.sku !== undefined && !around.skus.has(host.sku))
      faults.push({
        line,
        column: "sku",
        message: "there is no SKU with this name: leave the field empty, or create the SKU first",
      });
    if (host.credential.kind === "set" && !around.credentialSets.has(host.credential.name))
      faults.push({
        line,
        column: "bmc_credentials",
        message: "the site has no BMC credential set with this name: add it to the site first",
      });
    return faults.length === 0 ? read : { ...read, host: null, faults };
  });
}
