"use client";
// Records that a procedure was carried out on one host.
import { useState } from "react";
import {
  beginning,
  bring,
  FileFields,
  recordSchema,
  recordSpecs,
  workOf,
  type Files,
} from "@/components/assurance/record-fields";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

interface RecordDialogProps {
  readonly host: { readonly id: string; readonly name: string };
  readonly procedure: Procedure;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function RecordDialog({ host, procedure, ...rest }: RecordDialogProps) {
  const [files, setFiles] = useState<Files>({});
  return (
    <ActFormDialog
      title={`${procedure.title} on ${host.name}`}
      consequence={`Version ${procedure.version}. Another person must sign it off. Because somebody was at the machine, the host is checked again in a new boot before it becomes Ready.`}
      confirmWords="Record"
      schema={recordSchema}
      values={beginning(procedure)}
      fields={{
        serial: {
          label: "Serial number",
          hint: "as read or scanned at the machine",
          mono: true,
          autoFocus: true,
        },
        ...recordSpecs(procedure),
      }}
      after={<FileFields needs={procedure.evidence} onFiles={setFiles} />}
      send={async (value, client) =>
        client.procedures.record.mutate({
          hosts: [{ hostId: host.id, serial: value.serial }],
          ...workOf(procedure, value),
          files: await bring(files),
        })
      }
      said={`Recorded ${procedure.name} on ${host.name}; another person signs it off`}
      {...rest}
    />
  );
}
