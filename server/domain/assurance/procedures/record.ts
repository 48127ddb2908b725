// The record of a procedure, and what is wrong with one (docs/adr/0102-approvals-and-procedures.md).
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

export interface RecordedWork {
  readonly version: number;
  readonly doneFrom: Date;
  readonly doneUntil: Date;
  /** In the order of the checklist: `true` for a ticked box, or the value entered. */
  readonly answers: readonly (boolean | string)[];
  readonly ticket: string | null;
  /** SHA-256 of each file, and what it shows. */
  readonly files: readonly { readonly sha256: string; readonly shows: string }[];
}

export interface RecordRefusal {
  readonly field: string;
  readonly reason: string;
}

const no = (field: string, reason: string): RecordRefusal => ({ field, reason });

/** People's clocks and the database's differ. */
const clockMs = 5 * 60_000;

function timesRefusal({ doneFrom, doneUntil }: RecordedWork, sinceMs: number, nowMs: number) {
  if (doneFrom > doneUntil) return no("doneUntil", "the end is before the start. Correct the times");
  if (doneUntil.getTime() > nowMs + clockMs)
    return no("doneUntil", "the end is in the future. Record the procedure once it is finished");
  // safety: procedures: what was done before does not count (never)
  return doneFrom.getTime() < sinceMs
    ? no(
        "doneFrom",
        "the work started before this reclamation began, or before the host was held, so it does not count. Do it again",
      )
    : null;
}

/** What is wrong with a record, whatever the host; null: nothing. `sinceMs`: work on the host counts from then on. Pure. */
export function recordRefusal(
  procedure: Procedure,
  work: RecordedWork,
  { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
): RecordRefusal | null {
  if (work.version !== procedure.version)
    return no("version", `the procedure is at version ${procedure.version} now. Open it again`);
  if (work.answers.length !== procedure.checklist.length)
    return no("answers", `the checklist has ${procedure.checklist.length} items`);
  const open = procedure.checklist.find(({ answer }, index) => {
    const given = work.answers[index];
    return answer === "yes" ? given !== true : typeof given !== "string" || given.trim() === "";
  });
  // safety: procedures: every point of the checklist is answered
  if (open !== undefined) return no("answers", `not answered: ${open.text}`);
  const missing = procedure.evidence.find((need) =>
    need === "ticket" ? work.ticket === null : !work.files.some(({ shows }) => shows === need),
  );
  // safety: procedures: the evidence that it asks for
  if (missing !== undefined)
    return no(missing === "ticket" ? "ticket" : "files", `the procedure needs a ${missing}. Add one`);
  return timesRefusal(work, sinceMs, nowMs);
}

const plain = (serial: string): string => serial.trim().toUpperCase();

/** Whether the serial number that was typed or scanned is the host's. Pure. */
export const isSerial = (typed: string, serial: string | null): boolean =>
  serial !== null && plain(serial) !== "" && plain(typed) === plain(serial);
