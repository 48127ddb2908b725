"use client";
// Records one procedure on several hosts: shared fields once, one serial number per host. Each host is sent separately,
// so a refusal affects only that host and the rest can be retried.
import { useStore } from "@tanstack/react-form";
import { useRef, useState } from "react";
import {
  beginning,
  bring,
  RecordFields,
  recordSchema,
  workOf,
  type Files,
} from "@/components/assurance/record-fields";
import { scannedHosts, type ChosenHost } from "@/components/assurance/scanned";
import { problemOf, ShownError } from "@/components/trpc/query-client";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { formatCounted } from "@/components/ui/format/numbers";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

interface RecordManyDialogProps {
  readonly hosts: readonly ChosenHost[];
  readonly procedure: Procedure;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const recorded = "recorded";

/** Sends the hosts one after the other; `results` holds the outcome of each: recorded, or the error. */
function useRecordMany({ hosts, procedure, onClose, onDone }: RecordManyDialogProps, files: Files) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => beginning(procedure));
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const brought = useRef<{ of: Files; files: ReturnType<typeof bring> }>(null);
  /** Uploads once: a retry of refused hosts does not upload the files again. */
  const bringOnce = () => {
    if (brought.current?.of !== files) brought.current = { of: files, files: bring(files) };
    return brought.current.files.catch((error: unknown) => {
      brought.current = null;
      throw error;
    });
  };
  const form = useAppForm({
    defaultValues,
    validators: { onChange: recordSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `Recorded ${procedure.name} on ${formatCounted(hosts.length, "host")}`, async () => {
        const work = { ...workOf(procedure, value), files: await bringOnce() };
        const left = scannedHosts(hosts, value.serial).found.filter(({ id }) => results.get(id) !== recorded);
        const after = new Map(results);
        for (const { id, read } of left) {
          const result = await client.procedures.record
            .mutate({ ...work, hosts: [{ hostId: id, serial: read }] })
            .then(() => recorded)
            .catch((error: unknown) => problemOf(error).words);
          after.set(id, result);
          setResults(new Map(after));
        }
        const count = hosts.filter(({ id }) => after.get(id) === recorded).length;
        if (count < hosts.length)
          throw new ShownError(
            `Recorded ${count} of ${hosts.length} hosts. Fix the errors below, then send the rest.`,
          );
      }),
  });
  return { form, problem, results };
}

export function RecordManyDialog(props: RecordManyDialogProps) {
  const { hosts, procedure, onClose } = props;
  const [files, setFiles] = useState<Files>({});
  const { form, problem, results } = useRecordMany(props, files);
  const serial = useStore(form.store, ({ values }) => values.serial);
  const { missing, unknown } = scannedHosts(hosts, serial);
  const open = missing.filter(({ id }) => results.get(id) !== recorded);
  return (
    <form.AppForm>
      <FormDialog
        title={`${procedure.title} on ${formatCounted(hosts.length, "host")}`}
        consequence={
          <p>
            Version {procedure.version}. One record each, with the same checklist, times and files. Another
            person must sign each off. Each host is checked again in a new boot before it becomes Ready.
          </p>
        }
        confirmWords={results.size === 0 ? `Record on ${hosts.length}` : "Send the rest"}
        cancelWords={results.size === 0 ? "Cancel" : "Close"}
        schema={recordSchema}
        problem={problem}
        missing={
          unknown[0] === undefined
            ? open[0] === undefined
              ? undefined
              : `Read the serial number of ${open[0].name} at the machine`
            : `${unknown[0]} matches none of these hosts`
        }
        onClose={onClose}
      >
        <form.AppField name="serial">
          {(field) => (
            <field.TextAreaField
              label="Serial numbers"
              hint="scanned or read at each machine, one per line, in any order"
              rows={3}
              maxLength={20_000}
              mono
            />
          )}
        </form.AppField>
        <HostResults hosts={hosts} serial={serial} results={results} />
        <RecordFields
          form={form}
          procedure={procedure}
          onFiles={(shows, list) => setFiles((known) => ({ ...known, [shows]: list }))}
        />
      </FormDialog>
    </form.AppForm>
  );
}

interface HostResultsProps {
  readonly hosts: readonly ChosenHost[];
  readonly serial: string;
  readonly results: ReadonlyMap<string, string>;
}

function HostResults({ hosts, serial, results }: HostResultsProps) {
  const { found } = scannedHosts(hosts, serial);
  return (
    <ul className="assurance-lines" aria-label="Hosts" aria-live="polite">
      {hosts.map(({ id, name }) => {
        const read = found.find((each) => each.id === id)?.read;
        return (
          <li key={id}>
            <span>{name}</span>
            <span className={read === undefined ? "text-quiet" : undefined}>
              {results.get(id) ?? (read === undefined ? "no serial number yet" : `${read}, matches`)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
