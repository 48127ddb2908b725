// What a tenant with root may leave below the operating system, as far as Redfish shows it: account keys, host interface, boot entries, secure-boot databases.
import { z } from "zod";
import { isAllowedEntry } from "@/server/domain/hosts/inventory/boot-order";
import { isFirmwareOwn } from "@/server/hardware/redfish/resources/device-path";
import { optionalLink, text } from "@/server/hardware/redfish/resources/references";
import { pathOfLink } from "@/server/hardware/redfish/resources/resources";
import { StepFailed, StepStopped } from "@/server/hardware/redfish/steps/stopped";
import type { Resource, StepClient } from "@/server/hardware/redfish/steps/step-client";

export interface Foreign {
  /** The path on the BMC; names may not be unique. */
  readonly path: string;
  /** A description for people. */
  readonly what: string;
  /** Why it is not removed: it is, or may be, another host's. */
  readonly held?: string | null;
  /** Returns a reason if it was left there on purpose. */
  readonly remove: (session: StepClient) => Promise<string | void>;
}

/** The items of a part that are not as wanted, or why the BMC does not show the part. */
export type Part = { readonly foreign: readonly Foreign[] } | { readonly leftOut: string };

const flag = z.boolean().nullish().catch(null);
const account = z.object({ UserName: text, Keys: optionalLink });
const key = z.object({ KeyString: text, KeyType: text, UserDescription: text });

/** The members of a collection; null if the BMC has no such collection, even if it links to one. */
const members = async <T>(
  session: StepClient,
  path: string | null,
  schema: z.ZodType<T>,
): Promise<ReadonlyArray<Resource<T>> | null> => (path === null ? null : session.lookAll(path, schema));

const deletion =
  (path: string) =>
  async (session: StepClient): Promise<void> => {
    await session.change("DELETE", path, null);
  };

/** The keys of every account, including ours, that allow signing in without a password; null if no account shows any. */
export async function allKeys(session: StepClient, accounts: string) {
  const found: { readonly owner: string; readonly row: Resource<z.infer<typeof key>> }[] = [];
  let told = false;
  for (const { body } of await session.all(accounts, account)) {
    const keys = await members(session, pathOfLink(body.Keys), key);
    told ||= keys !== null;
    found.push(...(keys ?? []).map((row) => ({ owner: body.UserName ?? "", row })));
  }
  return told ? found : null;
}

/** The keys that are not allowed. */
export async function accountKeys(
  session: StepClient,
  accounts: string,
  allowed: readonly string[],
): Promise<Part> {
  const found = await allKeys(session, accounts);
  if (found === null) return { leftOut: "keys: no account shows any" };
  const foreign: Foreign[] = [];
  for (const { owner, row } of found)
    if (!allowed.includes(row.body.KeyString ?? ""))
      foreign.push({
        path: row.path,
        what: `key ${row.body.UserDescription ?? row.path} of account ${owner}`,
        remove: deletion(row.path),
      });
  return { foreign };
}

const manager = z.object({ HostInterfaces: optionalLink });
const hostInterface = z.object({ InterfaceEnabled: flag });

/** The network between host and BMC, through which root on the host can reach the BMC; null if the manager shows none. */
export const allHostInterfaces = async (session: StepClient) =>
  members(
    session,
    pathOfLink((await session.get(session.links.manager, manager)).body.HostInterfaces),
    hostInterface,
  );

/** The host interfaces that are not in the wanted state. */
export async function hostInterfaces(session: StepClient, wanted: boolean): Promise<Part> {
  const rows = await allHostInterfaces(session);
  if (rows === null) return { leftOut: "host interface: the manager shows none" };
  const other = rows.filter(({ body }) => body.InterfaceEnabled !== wanted);
  return {
    foreign: other.map((row) => ({
      path: row.path,
      what: `host interface ${row.path.split("/").at(-1) ?? ""} ${wanted ? "disabled" : "enabled"}`,
      remove: async () => {
        await session.patch(row, { InterfaceEnabled: wanted }, hostInterface);
      },
    })),
  };
}

const system = z.object({ Boot: z.object({ BootOptions: optionalLink }).nullish().catch(null) });
const bootOption = z.object({
  BootOptionReference: text,
  DisplayName: text,
  BootOptionEnabled: flag,
  UefiDevicePath: text,
});

/** The entries of the firmware's boot menu; null if the system shows none. */
export async function allBootEntries(session: StepClient) {
  const path = pathOfLink((await session.get(session.links.system, system)).body.Boot?.BootOptions);
  return members(session, path, bootOption);
}

/** Those that are enabled. */
export const enabledBootEntries = async (session: StepClient) =>
  (await allBootEntries(session))?.filter(({ body }) => body.BootOptionEnabled !== false) ?? null;

/**
 * The entries that are not allowed, by display name. One that cannot be deleted is disabled; with `keep` it stays if it is the firmware's own,
 * and otherwise the refusal stands.
 */
export async function bootEntries(
  session: StepClient,
  allowed: readonly string[],
  fixed: "disable" | "keep" = "disable",
): Promise<Part> {
  const rows = await enabledBootEntries(session);
  if (rows === null) return { leftOut: "boot entries: the system shows none" };
  const other = rows.filter(({ body }) => !isAllowedEntry(allowed, body.DisplayName ?? ""));
  return {
    foreign: other.map((row) => ({
      path: row.path,
      what: `boot entry ${row.body.DisplayName ?? ""} (${row.path.split("/").at(-1) ?? ""})`,
      remove: async () => {
        const replied = await session.tryChange("DELETE", row.path, null);
        if (replied.ok) return;
        if (replied.error.kind !== "unsupported") throw new StepStopped(replied.error);
        if (fixed === "keep") {
          // safety: bmc: a boot entry that is not the firmware's own is not kept
          if (!isFirmwareOwn(row.body.UefiDevicePath)) throw new StepStopped(replied.error);
          return "the firmware's own entry, which cannot be deleted";
        }
        await session.patch(row, { BootOptionEnabled: false }, bootOption);
      },
    })),
  };
}

const secureBoot = z.object({ SecureBootDatabases: optionalLink });
const database = z.object({
  Id: text,
  DatabaseId: text,
  Certificates: optionalLink,
  Signatures: optionalLink,
});
const entry = z.object({ Fingerprint: text, CertificateString: text, SignatureString: text });

/** The secure-boot databases of the system; null if it shows none. */
export async function secureBootDatabases(
  session: StepClient,
): Promise<ReadonlyArray<Resource<z.infer<typeof database>>> | null> {
  const path = pathOfLink((await session.system()).SecureBoot);
  const collection =
    path === null ? null : pathOfLink((await session.get(path, secureBoot)).body.SecureBootDatabases);
  return members(session, collection, database);
}

/**
 * Certificates by fingerprint, or by their text if they have none; signatures by their text. A database that shows neither list, a list that it links to
 * and does not have, and an entry without an identifier stop the step: what is not shown is not empty.
 */
export async function entriesOf(session: StepClient, row: Resource<z.infer<typeof database>>) {
  const name = row.body.DatabaseId ?? row.body.Id ?? row.path;
  const lists = [
    { path: pathOfLink(row.body.Certificates), kind: "certificate" as const },
    { path: pathOfLink(row.body.Signatures), kind: "signature" as const },
  ].flatMap(({ path, kind }) => (path === null ? [] : [{ path, kind }]));
  // safety: bmc: a secure-boot database that shows nothing is not empty
  if (lists.length === 0)
    throw new StepFailed(`secure-boot database ${name} shows neither certificates nor signatures`);
  const found: { readonly id: string; readonly path: string; readonly kind: string }[] = [];
  for (const { path, kind } of lists) {
    const entries = await session.lookAll(path, entry);
    // safety: bmc: a list of keys that is not there is not empty
    if (entries === null) throw new StepFailed(`secure-boot database ${name}: the BMC has no ${path}`);
    for (const { path: at, body } of entries) {
      const id = kind === "certificate" ? (body.Fingerprint ?? body.CertificateString) : body.SignatureString;
      if (id == null || id === "")
        throw new StepFailed(`secure-boot database ${name}: ${at} shows no identifier`);
      found.push({ id, path: at, kind });
    }
  }
  return found;
}

/** The entries that the baseline does not allow. A wanted entry that is missing cannot be restored, so it fails the step. */
export async function secureBootKeys(
  session: StepClient,
  wanted: Readonly<Record<string, readonly string[]>>,
): Promise<Part> {
  const found = await secureBootDatabases(session);
  if (found === null) return { leftOut: "secure-boot databases: the system shows none" };
  const foreign: Foreign[] = [];
  for (const [name, allowed] of Object.entries(wanted)) {
    const row = found.find(({ body }) => (body.DatabaseId ?? body.Id) === name);
    if (row === undefined) throw new StepFailed(`the BMC shows no secure-boot database ${name}`);
    const present = await entriesOf(session, row);
    const lost = allowed.filter((id) => !present.some((item) => item.id === id));
    // safety: bmc: a secure-boot key that is gone
    if (lost.length > 0) throw new StepFailed(`secure-boot database ${name} lacks ${lost.join(", ")}`);
    for (const item of present)
      if (!allowed.includes(item.id))
        foreign.push({
          path: item.path,
          what: `${item.kind} ${item.path.split("/").at(-1) ?? ""} in secure-boot database ${name}`,
          remove: deletion(item.path),
        });
  }
  return { foreign };
}
