// What to do next about a failed host, by what was tried already: one table for its page, the list of Next and the command line (docs/next.md#advice).
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import { fact, has } from "@/server/domain/cleaning/failures/table/row";
import { routes } from "@/server/domain/console/routes";
import { driveAt } from "@/server/domain/hosts/advice/replace-drive";
import type { Tried, TriedDrive, TriedException } from "@/server/domain/hosts/advice/tried";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { NextStep } from "@/server/domain/hosts/next-steps";
import { momentText } from "@/server/domain/lifecycle/moment-text";
import { formatCounted, formatList } from "@/server/domain/numbers";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";

/** What an advice may put first: `replaceDrive` opens a ticket, the others are acts on the host. */
export const advisedActs = ["replaceDrive", "inspect", "disposeDrive", "restart", "retry"] as const;
export type AdvisedAct = (typeof advisedActs)[number];

export interface Advice {
  readonly text: string;
  /** What to do first; null: nothing that was tried makes one act better than the others. */
  readonly act: AdvisedAct | null;
  /** Where what was tried is shown. */
  readonly links: readonly NextStep[];
  /** The drives that `replaceDrive` is about. */
  readonly replace: readonly TriedDrive[];
}

const { inspect, disposeDrive, restart, retry } = hostActions;

const exceptionsPage: NextStep = {
  words: "Exceptions",
  href: routes.assurance({ tab: "exceptions" }),
  command: "reclaim exceptions list",
};
const dispositionsPage: NextStep = {
  words: "Dispositions",
  href: routes.assurance({ tab: "dispositions" }),
  command: null,
};
const ticketPage = (ref: string): NextStep => ({
  words: `Ticket ${ref}`,
  href: routes.ticket(ref),
  command: `reclaim tickets show ${ref}`,
});

const plain = (text: string, act: AdvisedAct | null, links: readonly NextStep[] = []): Advice => ({
  ...{ text, act, links },
  replace: [],
});

/** Said of a drive that stopped its host again. Pure. */
const stoppedAgain = (drive: Pick<TriedDrive, "serial" | "slot" | "stops">): string =>
  `Drive ${driveAt(drive)} has stopped this host ${formatCounted(drive.stops, "time")} since it was last Ready: another retry is not likely to help. Replace the drive.`;

/** How far the replacement of a drive is, in the order in which several drives are dealt with. */
const stages = ["replace", "contradicted", "ticket", "gone", "unsigned", "signed"] as const;
type Stage = (typeof stages)[number];

/** Null: a replacement has not begun and is not due. */
function stageOf({ signature, contradiction, gone, ticket, stops, replaceAfter }: TriedDrive): Stage | null {
  // A rejected one has no effect in any case.
  if (signature !== null && signature !== "rejected" && contradiction !== null) return "contradicted";
  if (signature !== null) return signature === "signed" ? "signed" : "unsigned";
  if (replaceAfter === null) return null;
  if (gone) return "gone";
  if (ticket !== null) return "ticket";
  return stops >= replaceAfter ? "replace" : null;
}

function ofStage(stage: Stage, drives: readonly [TriedDrive, ...TriedDrive[]]): Advice {
  const [{ serial, ticket, signature, successor, stops, check, contradiction }] = drives;
  const [drive] = drives;
  switch (stage) {
    case "replace":
      return {
        ...plain(stops > 1 ? stoppedAgain(drive) : check, "replaceDrive"),
        replace: drives,
      };
    case "contradicted":
      return plain(
        `The disposition of drive ${serial} has no effect: ${contradiction ?? ""}. If the drive is out, use ${inspect.words}. If it is still there, withdraw the disposition on the Inventory tab.`,
        "inspect",
        [dispositionsPage],
      );
    case "ticket":
      return plain(
        `Ticket ${ticket ?? ""} asks for drive ${driveAt(drive)} to be replaced. When the new drive is in, use ${inspect.words}: Reclaim then knows which serial number is in the slot.`,
        "inspect",
        ticket === null ? [] : [ticketPage(ticket)],
      );
    case "gone":
      return plain(
        `Drive ${serial} is not in the host any more${successor === null ? "" : `; its slot holds drive ${successor} now`}. Use ${disposeDrive.words} to say what became of ${serial}; another person signs it.`,
        "disposeDrive",
      );
    case "unsigned":
      if (signature === "rejected" && contradiction !== null)
        return plain(
          `No other person has signed the disposition of drive ${serial}: it was rejected, and ${contradiction}. If the drive is out, use ${inspect.words}, then ${disposeDrive.words} again.`,
          "inspect",
          [dispositionsPage],
        );
      return signature === "waits"
        ? plain(
            `The disposition of drive ${serial} waits for another person's signature. When it is signed, use ${restart.words}${successor === null ? "" : `, which erases drive ${successor}`}.`,
            null,
            [dispositionsPage],
          )
        : plain(
            `No other person has signed the disposition of drive ${serial}${signature === "rejected" ? ": it was rejected" : ""}. Use ${disposeDrive.words} again.`,
            "disposeDrive",
            [dispositionsPage],
          );
    case "signed":
      return plain(
        `The disposition of drive ${serial} is signed. Use ${restart.words}: the new plan does not expect this drive${successor === null ? "" : `, and erases drive ${successor}`}.`,
        "restart",
      );
  }
}

/** "drive S6XNNA0T", "gate tpmCleared". */
const excepted = ({ gate, drive }: Pick<TriedException, "gate" | "drive">): string =>
  drive === null ? `gate ${gate}` : `drive ${drive}`;

/** The exceptions by what they let through, approved ones first: one that waits is of no interest beside an approved one for the same. */
function bySubject(exceptions: readonly TriedException[]): readonly TriedException[] {
  const found = new Map<string, TriedException>();
  for (const exception of exceptions.toSorted(
    (a, b) => Number(a.approvedBy === null) - Number(b.approvedBy === null),
  )) {
    const subject = excepted(exception);
    if (!found.has(subject)) found.set(subject, exception);
  }
  return [...found.values()];
}

const exceptionText = (exception: TriedException): string =>
  exception.approvedBy === null
    ? `An exception for ${excepted(exception)} waits for another person's approval. When it is approved, use ${retry.words}: the reclamation continues where it stopped.`
    : `${exception.approvedBy} approved the exception for ${excepted(exception)}, which holds until ${momentText(exception.validUntil.getTime())}. Use ${retry.words}: the reclamation continues where it stopped.`;

/** Null: none was requested. One that waits would stop the host again. */
function ofExceptions(exceptions: readonly TriedException[]): Advice | null {
  const asked = bySubject(exceptions);
  if (asked.length === 0) return null;
  const waits = asked.some(({ approvedBy }) => approvedBy === null);
  return plain(asked.map(exceptionText).join(" "), waits ? null : "retry", [exceptionsPage]);
}

/** The gate that lets drives through that are not erased. */
const drivesGate: GateName = "storageSanitized";

const concernsDrives = ({ gate, drive }: TriedException): boolean => drive !== null || gate === drivesGate;

const lets = (exceptions: readonly TriedException[], serial: string | undefined): boolean =>
  exceptions.some(({ gate, drive }) => (drive === null ? gate === drivesGate : drive === serial));

/** Whether exceptions were requested for what the host stopped for. A failure that only text describes is taken for what they are about. */
function covers(exceptions: readonly TriedException[], first: Cause | null): boolean {
  if (first === null) return true;
  if (has(first, "gates"))
    return fact(first, "gates")
      .split(", ")
      .every((name) => exceptions.some(({ gate }) => gate === name));
  return first.device?.kind === "drive"
    ? lets(exceptions, first.device.serial)
    : exceptions.some((exception) => !concernsDrives(exception));
}

function ofDrives(drives: readonly TriedDrive[]): Advice | null {
  for (const stage of stages) {
    const [drive, ...others] = drives.filter((each) => stageOf(each) === stage);
    if (drive !== undefined) return ofStage(stage, [drive, ...others]);
  }
  return null;
}

/**
 * The advice for a failed host. What no exception was requested for is said, too, and comes first.
 * @param usual what is to be checked for its first cause, whatever was tried
 * @param first the first cause; null: only text describes the failure
 * Pure.
 */
export function adviceOf(usual: string | null, first: Cause | null, tried: Tried): Advice | null {
  const { exceptions } = tried;
  const excepting = ofExceptions(exceptions);
  const check = (text: string | null | undefined): Advice | null => (text == null ? null : plain(text, null));
  const left = tried.drives.filter(({ serial }) => !lets(exceptions, serial));
  const drives = ofDrives(left);
  if (excepting === null) return drives ?? check(usual);
  const rest = drives ?? check(covers(exceptions, first) ? left[0]?.check : usual);
  return rest === null
    ? excepting
    : {
        ...rest,
        text: `${rest.text} ${excepting.text}`,
        links: [...rest.links, ...excepting.links],
      };
}

/** What a Ready host waits for that exceptions let through, in the form of a row of the table of states. Null: it relies on none. Pure. */
export function exceptedText(exceptions: readonly TriedException[]): string | null {
  const approved = exceptions.filter(({ approvedBy }) => approvedBy !== null);
  const [first] = [...approved].sort((a, b) => a.validUntil.getTime() - b.validUntil.getTime());
  if (first === undefined) return null;
  const what = approved.map((each) =>
    each.drive === null ? `gate ${each.gate} is not satisfied` : `drive ${each.drive} is not erased`,
  );
  return `Nothing: in allocation by an exception until ${momentText(first.validUntil.getTime())}: ${formatList(what)}`;
}
