// What is left on a BMC when its host leaves the fleet: listed part by part, removed, and read again (docs/decommission.md#leftovers).
import { leftoverName } from "@/server/domain/hosts/decommission/leftover-name";
import type { Leftover, LeftoverKind } from "@/server/domain/hosts/decommission/leftovers";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type {
  BmcTarget,
  CallOptions,
  HardwareResult,
  LeftoversInterface,
} from "@/server/hardware/interfaces";
import { wasDeclined } from "@/server/hardware/answered";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import {
  accounts,
  accountsPath,
  endAccount,
  media,
  ownAccount,
  subscriptions,
  unverifiedText,
} from "@/server/hardware/redfish/steps/baseline";
import { accountKeys, bootEntries } from "@/server/hardware/redfish/steps/baseline-firmware";
import type { Foreign, Part } from "@/server/hardware/redfish/steps/baseline-firmware";
import { StepFailed, StepStopped } from "@/server/hardware/redfish/steps/stopped";
import { StepClient, type Resource } from "@/server/hardware/redfish/steps/step-client";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";

interface Place {
  readonly kind: LeftoverKind;
  /** It belongs to the service, and so to every host whose system is behind it. */
  readonly ofService: boolean;
  /** The name of the part if it cannot be read. */
  readonly words: string;
  readonly find: (session: StepClient) => Promise<Part>;
}

/** Nothing may stay, so every list of allowed items is empty. */
const places: readonly Place[] = [
  {
    kind: "account",
    ofService: true,
    words: "accounts",
    find: async (session) => ({ foreign: await accounts(session, await accountsPath(session), []) }),
  },
  {
    kind: "accountKey",
    ofService: true,
    words: "account keys",
    find: async (session) => accountKeys(session, await accountsPath(session), []),
  },
  {
    kind: "eventSubscription",
    ofService: true,
    words: "event subscriptions",
    find: async (session) => ({ foreign: await subscriptions(session, []) }),
  },
  {
    kind: "virtualMedium",
    ofService: true,
    words: "virtual media",
    find: async (session) => ({ foreign: await media(session) }),
  },
  {
    kind: "bootEntry",
    ofService: false,
    words: "boot entries",
    find: (session) => bootEntries(session, [], "keep"),
  },
];

interface Candidate {
  readonly row: Leftover;
  /** Null if there is nothing to remove, or if that is unknown. */
  readonly foreign: Foreign | null;
}

const line = (
  kind: LeftoverKind,
  what: string,
  outcome: Leftover["outcome"],
  message: string | null = null,
): Leftover => ({ kind, what: leftoverName(what), outcome, message, accepted: null });

/** The BMC's answer about this one item; null for what ends the whole call: no answer, no sign-in, no permit. */
function definite(error: unknown): string | null {
  if (error instanceof StepFailed) return error.message;
  if (!(error instanceof StepStopped || error instanceof CannotTell)) return null;
  return wasDeclined(error.error) ? error.error.message : null;
}

/** Other hosts of the service: `kept` if some were verified there, `unreadable` if some were only entered, null if there are none. */
function usersOf({
  call: { target },
}: StepClient): { readonly outcome: "kept" | "unreadable"; readonly words: string } | null {
  const namesOf = (wanted: boolean) =>
    (target.neighbours ?? []).flatMap(({ name, verified }) => (verified === wanted ? [name] : []));
  const [verified, entered] = [namesOf(true), namesOf(false)];
  if (verified.length > 0) return { outcome: "kept", words: `the same BMC serves ${verified.join(", ")}` };
  // safety: bmc: a host that nobody verified is no reason to leave anything behind (null)
  return entered.length === 0 ? null : { outcome: "unreadable", words: unverifiedText(entered) };
}

/** Reads each part separately. A part that cannot be read hides no other, and is never taken as empty. */
async function look(session: StepClient): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const { kind, ofService, words, find } of places) {
    const users = ofService ? usersOf(session) : null;
    // safety: bmc: what other hosts of the service use stays
    if (users !== null) {
      found.push({ row: line(kind, words, users.outcome, users.words), foreign: null });
      continue;
    }
    try {
      const part = await find(session);
      if ("leftOut" in part)
        found.push({ row: line(kind, words, "notOffered", part.leftOut), foreign: null });
      else
        for (const foreign of part.foreign) found.push({ row: line(kind, foreign.what, "found"), foreign });
    } catch (error) {
      const message = definite(error);
      if (message === null) throw error;
      // safety: bmc: a part that cannot be read is not empty
      found.push({ row: line(kind, words, "unreadable", message), foreign: null });
    }
  }
  return found;
}

/** Removes what was found and reads everything again. Only what is no longer there counts as removed. */
async function remove(session: StepClient): Promise<readonly Leftover[]> {
  const said = new Map<string, string>();
  const kept = new Map<string, string>();
  for (const { foreign } of await look(session)) {
    if (foreign === null) continue;
    try {
      const own = await foreign.remove(session);
      if (typeof own === "string") kept.set(foreign.path, own);
    } catch (error) {
      const message = definite(error);
      if (message === null) throw error;
      said.set(foreign.path, message);
    }
  }
  const { settingReadBackMs } = session.client.settings.limits;
  const back = await session.until(
    settingReadBackMs,
    () => look(session),
    (rows) =>
      rows.every(({ foreign }) => foreign === null || kept.has(foreign.path) || said.has(foreign.path)),
  );
  return back.value.map(({ row, foreign }): Leftover => {
    if (foreign === null) return row;
    const own = kept.get(foreign.path);
    return own === undefined
      ? { ...row, outcome: "refused", message: said.get(foreign.path) ?? "removed, but still there" }
      : { ...row, outcome: "kept", message: own };
  });
}

const ownText = "account that Reclaim signs in with";

const ownLine = (outcome: Leftover["outcome"], message: string | null = null): readonly Leftover[] => [
  line("ownAccount", ownText, outcome, message),
];

/** Removes the account that the call is signed in with. The read-back is whether the BMC still accepts it afterwards. */
async function removeOwn(session: StepClient, sent: boolean): Promise<readonly Leftover[]> {
  const users = usersOf(session);
  // safety: bmc: the account by which other hosts are signed in stays
  if (users !== null) return ownLine(users.outcome, users.words);
  const row = await ownAccountNow(session);
  if (row === "refused") return ownLine(sent ? "removed" : "unreadable", signInRefused);
  if (row === null)
    return sent ? ownLine("removed", "the BMC does not list it") : ownLine("unreadable", unlisted);
  if ("unreadable" in row) return ownLine("unreadable", row.unreadable);
  try {
    await endAccount(session, row);
  } catch (error) {
    const message = definite(error);
    if (message === null) throw error;
    return ownLine("refused", message);
  }
  const left = await ownAccountNow(session);
  if (left === "refused") return ownLine("removed", signInRefused);
  if (left === null) return ownLine("removed");
  return "unreadable" in left
    ? ownLine("unreadable", `removed, but that could not be read back: ${left.unreadable}`)
    : ownLine("refused", "removed, but still there");
}

const unlisted = "Reclaim signed in with it, and the BMC lists no enabled account with this name";
const signInRefused = "the BMC refuses its sign-in";

const isRefused = ({ call: { bmc, credential } }: StepClient): boolean => bmc.refused.has(credential);

/** `refused`: nobody can sign in with it. `unreadable`: why the BMC does not show its accounts. */
async function ownAccountNow(
  session: StepClient,
): Promise<Resource<unknown> | "refused" | { readonly unreadable: string } | null> {
  try {
    return await ownAccount(session);
  } catch (error) {
    // The client does not retry a credential that was refused once.
    if (error instanceof StepStopped && (error.error.status === 401 || isRefused(session))) return "refused";
    const unreadable = definite(error);
    if (unreadable === null) throw error;
    return { unreadable };
  }
}

/** A lockdown may be opened here: it protects a host that stays, and this one leaves. */
const known = { platform: noPlatformFacts, baseline: { lockdown: true } };

/** Leftovers of every Redfish BMC. */
export function redfishLeftovers(client: RedfishClient, profile: VendorProfile): LeftoversInterface {
  const talking = async (
    target: BmcTarget,
    options: CallOptions,
    work: (session: StepClient) => Promise<readonly Leftover[]>,
  ): Promise<HardwareResult<readonly Leftover[]>> => {
    const begun = await beginWithLinks(client, target, options);
    if (!begun.ok) return begun;
    try {
      const call = { target, args: {}, known };
      return { ok: true, value: await work(new StepClient(client, begun.call, begun.links, profile, call)) };
    } catch (error) {
      if (!(error instanceof StepStopped || error instanceof CannotTell)) throw error;
      const { kind, message, unknownOutcome } = error.error;
      return { ok: false, error: { kind, message, unknownOutcome } };
    }
  };
  return {
    look: (target, options) =>
      talking(target, options, async (session) => (await look(session)).map(({ row }) => row)),
    remove: (target, options) => talking(target, options, remove),
    removeOwnAccount: (target, sent, options) =>
      talking(target, options, (session) => removeOwn(session, sent)),
  };
}
