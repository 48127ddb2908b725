"use client";
// Requests an exception for the gate or drive that stopped a host; another person decides on it.
import { z } from "zod";
import { goesOnText, letThrough } from "@/components/assurance/exceptions/exception-text";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText, typedMoment } from "@/components/ui/form/schemas";
import type { AskableException } from "@/server/surfaces/trpc/types";

const words = (complaint: string) => z.string().trim().min(1, complaint).max(2000);
const schema = z.object({
  reason: reasonText(),
  measure: words("Enter the compensating control"),
  risk: words("Enter the remaining risk"),
  validUntil: typedMoment.transform((at, context) => {
    if (at !== null) return at;
    context.addIssue({ code: "custom", message: "Enter when it expires" });
    return z.NEVER;
  }),
});

interface AskExceptionDialogProps {
  readonly host: { readonly id: string; readonly name: string };
  readonly asked: AskableException;
  readonly me: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** A label for what is requested. */
export const askableText = ({ gate, drive }: AskableException): string =>
  letThrough({ gate, drive: drive?.serial ?? null });

/** What an approval would mean, shown before the request is sent. */
function Consequence({ asked, me }: Pick<AskExceptionDialogProps, "asked" | "me">) {
  return (
    <>
      <p>Found: {asked.found === "" ? "no details" : asked.found}</p>
      <p>
        You ask as {me}. Another person, a provider admin, approves or rejects it; you cannot.{" "}
        {goesOnText(asked.gate)} The certificate{" "}
        {asked.drive === null ? "lists the gate as excepted" : "says that the drive is not sanitized"}.
      </p>
      <p>
        It applies to this reclamation and this finding only; a different finding voids it. When it expires,
        the host leaves allocation and is cleaned again.
      </p>
    </>
  );
}

export const AskExceptionDialog = ({ host, asked, me, ...rest }: AskExceptionDialogProps) => (
  <ActFormDialog
    title={`Ask for an exception: ${askableText(asked)} on ${host.name}`}
    consequence={<Consequence asked={asked} me={me} />}
    confirmWords="Ask for exception"
    schema={schema}
    values={{ reason: "", measure: "", risk: "", validUntil: "" }}
    fields={{
      reason: reasonField(),
      measure: {
        label: "Compensating control",
        hint: "for example, a locked row",
        rows: 2,
        maxLength: 2000,
      },
      risk: {
        label: "Residual risk",
        hint: "what may still happen, and to whom",
        rows: 2,
        maxLength: 2000,
      },
      validUntil: {
        label: "Expires",
        hint: "in your local time, a year away at most",
        type: "datetime-local",
      },
    }}
    send={({ validUntil, ...said }, client) =>
      client.exceptions.ask.mutate({
        ...{ hostId: host.id, gate: asked.gate, validUntil, ...said },
        ...(asked.drive === null ? {} : { drive: asked.drive.serial }),
      })
    }
    said={`Requested: ${askableText(asked)} on ${host.name}; another person decides`}
    {...rest}
  />
);
