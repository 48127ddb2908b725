"use client";
// Records that a procedure was carried out on a host: serial number, times, checklist, evidence.
import { useState } from "react";
import { z } from "zod";
import { uploadEvidence } from "@/components/assurance/upload-evidence";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import type { StandingLine } from "@/server/surfaces/trpc/types";

type Procedure = StandingLine["procedure"];

interface RecordDialogProps {
  readonly host: { readonly id: string; readonly name: string };
  readonly procedure: Procedure;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const time = (what: string) => z.string().min(1, `Enter ${what}`);
const schema = z.object({
  serial: z.string().trim().min(1, "Read the serial number at the machine"),
  doneFrom: time("when it was begun"),
  doneUntil: time("when it was done"),
  place: z.string().max(200),
  ticket: z.string().max(128),
  comment: z.string().max(2000),
  ticks: z.array(z.boolean()),
  texts: z.array(z.string().max(500)),
});

/** Also the times are the person's to state: they are signed. */
const beginning = ({ checklist }: Procedure) => ({
  serial: "",
  doneFrom: "",
  doneUntil: "",
  place: "",
  ticket: "",
  comment: "",
  ticks: checklist.map(() => false),
  texts: checklist.map(() => ""),
});

type Files = Readonly<Record<string, readonly File[]>>;

/** Brings the files first: the record names them by their digests. One after the other: a server takes few at a time. */
async function bring(files: Files) {
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

function useRecordForm({ host, procedure, onClose, onDone }: RecordDialogProps, files: Files) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => beginning(procedure));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${procedure.name} on ${host.name} is recorded; another person signs it off`, async () =>
        client.procedures.record.mutate({
          hosts: [{ hostId: host.id, serial: value.serial }],
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
          files: await bring(files),
        }),
      ),
  });
  return { form, problem };
}

export function RecordDialog(props: RecordDialogProps) {
  const { host, procedure, onClose } = props;
  const [files, setFiles] = useState<Files>({});
  const { form, problem } = useRecordForm(props, files);
  const needsTicket = procedure.evidence.includes("ticket");
  return (
    <form.AppForm>
      <FormDialog
        title={`${procedure.title} on ${host.name}`}
        consequence={
          <p>
            Version {procedure.version}. Another person signs it off. Before the host becomes Ready it is read
            again in a new boot, because somebody was at the machine.
          </p>
        }
        confirmWords="Record"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="serial">
          {(field) => (
            <field.TextField label="Serial number" hint="as read or scanned at the machine" mono autoFocus />
          )}
        </form.AppField>
        {procedure.checklist.map(({ text, answer }, index) =>
          answer === "yes" ? (
            <form.AppField key={text} name={`ticks[${index}]`}>
              {(field) => <field.CheckField label={text} />}
            </form.AppField>
          ) : (
            <form.AppField key={text} name={`texts[${index}]`}>
              {(field) => <field.TextField label={text} />}
            </form.AppField>
          ),
        )}
        <form.AppField name="doneFrom">
          {(field) => <field.TextField label="Begun" type="datetime-local" />}
        </form.AppField>
        <form.AppField name="doneUntil">
          {(field) => <field.TextField label="Done" type="datetime-local" />}
        </form.AppField>
        <form.AppField name="place">
          {(field) => <field.TextField label="Place" aside="optional" hint="such as a / rack 18 / U22" />}
        </form.AppField>
        <form.AppField name="ticket">
          {(field) => <field.TextField label="Ticket" aside={needsTicket ? undefined : "optional"} mono />}
        </form.AppField>
        <FileFields
          needs={procedure.evidence}
          onFiles={(shows, list) => setFiles((known) => ({ ...known, [shows]: list }))}
        />
        <form.AppField name="comment">
          {(field) => <field.TextAreaField label="Comment" aside="optional" rows={2} maxLength={2000} />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}

interface FileFieldsProps {
  readonly needs: Procedure["evidence"];
  readonly onFiles: (shows: "photo" | "log", files: readonly File[]) => void;
}

const fileWords = { photo: "Photos", log: "Logs" } as const;

function FileFields({ needs, onFiles }: FileFieldsProps) {
  return (["photo", "log"] as const).map((shows) => (
    <div className="field" key={shows}>
      <label htmlFor={`evidence-${shows}`}>
        {fileWords[shows]}
        {needs.includes(shows) ? null : <span className="text-quiet"> optional</span>}
      </label>
      <input
        id={`evidence-${shows}`}
        type="file"
        multiple
        accept={shows === "photo" ? "image/png,image/jpeg" : ".log,.txt,.json,.csv,.pdf"}
        onChange={(event) => onFiles(shows, [...(event.target.files ?? [])])}
      />
    </div>
  ));
}
