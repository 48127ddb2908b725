"use client";
// The fields that every procedure record has besides the serial number: checklist, times, place, evidence.
import { z } from "zod";
import { uploadEvidence } from "@/components/assurance/upload-evidence";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

const time = (what: string) => z.string().min(1, `Enter ${what}`);

const atMost = (length: number) => z.string().max(length, `Use at most ${length} characters`);

/** `serial`: one serial number, or one per line for several hosts. */
export const recordSchema = z.object({
  serial: z.string().trim().min(1, "Read the serial number at the machine"),
  doneFrom: time("when the work started"),
  doneUntil: time("when the work ended"),
  place: atMost(200),
  ticket: atMost(128),
  comment: atMost(2000),
  ticks: z.array(z.boolean()),
  texts: z.array(atMost(500)),
});
export type RecordForm = z.input<typeof recordSchema>;

/** The times are signed too, so the user has to enter them; they have no defaults. */
export const beginning = ({ checklist }: Pick<Procedure, "checklist">): RecordForm => ({
  serial: "",
  doneFrom: "",
  doneUntil: "",
  place: "",
  ticket: "",
  comment: "",
  ticks: checklist.map(() => false),
  texts: checklist.map(() => ""),
});

/** The part of the request that is the same for every host. Pure. */
export const workOf = (procedure: Procedure, value: RecordForm) => ({
  procedure: procedure.name,
  version: procedure.version,
  doneFrom: new Date(value.doneFrom),
  doneUntil: new Date(value.doneUntil),
  place: value.place,
  answers: procedure.checklist.map(({ answer }, index) =>
    answer === "yes" ? (value.ticks[index] ?? false) : (value.texts[index] ?? ""),
  ),
  ticket: value.ticket.trim() === "" ? null : value.ticket,
  comment: value.comment,
});

/** Files by what they show. */
export type Files = Readonly<Record<string, readonly File[]>>;

/** Uploads the files before the record, which names them by digest. One at a time, because the server limits concurrent uploads. */
export async function bring(files: Files) {
  const brought: { readonly sha256: string; readonly shows: "photo" | "log" }[] = [];
  for (const [kind, list] of Object.entries(files)) {
    const shows = kind === "photo" ? "photo" : "log";
    for (const file of list) {
      const sha256 = await uploadEvidence(file);
      // The same content chosen twice is one file.
      if (!brought.some((each) => each.sha256 === sha256 && each.shows === shows))
        brought.push({ sha256, shows });
    }
  }
  return brought;
}

/** Besides the serial number. */
export const recordSpecs = ({ checklist, evidence }: Pick<Procedure, "checklist" | "evidence">) => ({
  ...Object.fromEntries(
    checklist.map(({ text, answer }, index) => [
      `${answer === "yes" ? "ticks" : "texts"}[${index}]`,
      { label: text },
    ]),
  ),
  doneFrom: { label: "Started", hint: "in your local time", type: "datetime-local" as const },
  doneUntil: { label: "Finished", hint: "in your local time", type: "datetime-local" as const },
  place: { label: "Place", aside: "optional", hint: "such as a / rack 18 / U22" },
  ticket: { label: "Ticket", aside: evidence.includes("ticket") ? undefined : "optional", mono: true },
  comment: { label: "Comment", aside: "optional", rows: 2, maxLength: 2000 },
});

const fileLabels = { photo: "Photos", log: "Logs" } as const;

interface FileFieldsProps {
  readonly needs: Procedure["evidence"];
  readonly onFiles: (update: (known: Files) => Files) => void;
}

export function FileFields({ needs, onFiles }: FileFieldsProps) {
  return (["photo", "log"] as const).map((shows) => (
    <div className="field" key={shows}>
      <label htmlFor={`evidence-${shows}`}>
        {fileLabels[shows]}
        {needs.includes(shows) ? null : <span className="text-quiet"> optional</span>}
      </label>
      <input
        id={`evidence-${shows}`}
        type="file"
        multiple
        accept={shows === "photo" ? "image/png,image/jpeg" : ".log,.txt,.json,.csv,.pdf"}
        onChange={({ target }) => onFiles((known) => ({ ...known, [shows]: [...(target.files ?? [])] }))}
      />
    </div>
  ));
}
