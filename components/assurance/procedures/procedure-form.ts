// The form values of a procedure: names one per line, days as text.
import { z } from "zod";
import { answerKinds, evidenceNeeds, procedureName } from "@/server/domain/assurance/procedures/procedure";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import { failureCauses } from "@/server/domain/lifecycle/states";
import type { FailureCause } from "@/server/domain/lifecycle/states";

/** One per line, or separated by commas; not by spaces, because names of SKUs and tenants may contain them. Pure. */
export const namesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ),
];

const isCause = (name: string): name is FailureCause => failureCauses.some((cause) => cause === name);

const names = z.string().transform((text) => [...namesOf(text)]);
const causes = z.string().transform((text, context): FailureCause[] => {
  const unknown = namesOf(text).find((name) => !isCause(name));
  if (unknown !== undefined)
    context.addIssue({ code: "custom", message: `${unknown} is not a failure cause` });
  return namesOf(text).filter(isCause);
});
const days = z.string().transform((text, context): number | null => {
  if (text.trim() === "") return null;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 3650)
    context.addIssue({ code: "custom", message: "Enter days from 1 to 3650, or leave it empty" });
  return number;
});

/** What is sent: everything but the version. */
export const procedureSchema = z
  .object({
    name: z.string().trim().pipe(procedureName),
    title: z.string().trim().min(1, "Enter a title").max(120),
    checklist: z
      .array(
        z.object({
          text: z.string().trim().min(1, "Enter what is done, or remove the point").max(200),
          answer: z.enum(answerKinds),
        }),
      )
      .min(1, "Add a point to the checklist")
      .max(40),
    photo: z.boolean(),
    log: z.boolean(),
    ticket: z.boolean(),
    reusableDays: days,
    always: z.boolean(),
    skus: names,
    tenants: names,
    afterRepair: z.boolean(),
    afterFailures: causes,
  })
  .transform(({ always, skus, tenants, afterRepair, afterFailures, ...rest }) => ({
    name: rest.name,
    title: rest.title,
    checklist: rest.checklist,
    evidence: evidenceNeeds.filter((need) => rest[need]),
    reusableDays: rest.reusableDays,
    when: { always, skus, tenants, afterRepair, afterFailures },
  }));
export type ProcedureForm = z.input<typeof procedureSchema>;

/** The form values of a procedure. Pure. */
export const formOf = ({
  name,
  title,
  checklist,
  evidence,
  reusableDays,
  when,
}: Procedure): ProcedureForm => ({
  name,
  title,
  checklist: checklist.map(({ text, answer }) => ({ text, answer })),
  photo: evidence.includes("photo"),
  log: evidence.includes("log"),
  ticket: evidence.includes("ticket"),
  reusableDays: reusableDays === null ? "" : String(reusableDays),
  always: when.always,
  skus: when.skus.join("\n"),
  tenants: when.tenants.join("\n"),
  afterRepair: when.afterRepair,
  afterFailures: when.afterFailures.join("\n"),
});

const never = { always: false, skus: "", tenants: "", afterRepair: false, afterFailures: "" };

/** Initial values of a new procedure. When it is due is left to the author. */
export const beginnings: Readonly<Record<"drain" | "empty", ProcedureForm>> = {
  drain: {
    name: "full-ac-drain",
    title: "Full AC drain",
    checklist: [
      { text: "Host off, both AC cords out, PSU LEDs dark", answer: "yes" },
      { text: "Minutes without AC", answer: "text" },
      { text: "BMC did not answer while the cords were out", answer: "yes" },
      { text: "Cords back, host powered on", answer: "yes" },
    ],
    photo: true,
    log: false,
    ticket: false,
    reusableDays: "",
    ...never,
  },
  empty: {
    name: "",
    title: "",
    checklist: [{ text: "", answer: "yes" }],
    photo: false,
    log: false,
    ticket: false,
    reusableDays: "",
    ...never,
  },
};
