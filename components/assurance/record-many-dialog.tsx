"use client";
// Records one procedure on several hosts: shared fields once, one serial number per host. Each host is sent separately,
// so a refusal affects only that host and the rest can be retried.
import { useRef, useState } from "react";
import {
  beginning,
  bring,
  FileFields,
  recordSchema,
  recordSpecs,
  workOf,
  type Files,
} from "@/components/assurance/record-fields";
import { scannedHosts, type ChosenHost } from "@/components/assurance/scanned";
import { problemOf, ShownError } from "@/components/trpc/query-client";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
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
export function RecordManyDialog({ hosts, procedure, ...rest }: RecordManyDialogProps) {
  const [files, setFiles] = useState<Files>({});
  const [serial, setSerial] = useState("");
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const brought = useRef<{ of: Files; files: ReturnType<typeof bring> }>(null);
  const { missing, unknown } = scannedHosts(hosts, serial);
  const open = missing.filter(({ id }) => results.get(id) !== recorded);
  /** Uploads once: a retry of refused hosts does not upload the files again. */
  const bringOnce = () => {
    if (brought.current?.of !== files) brought.current = { of: files, files: bring(files) };
    return brought.current.files.catch((error: unknown) => {
      brought.current = null;
      throw error;
    });
  };
  return (
    <ActFormDialog
      title={`${procedure.title} on ${formatCounted(hosts.length, "host")}`}
      consequence={`Version ${procedure.version}. One record each, with the same checklist, times and files. Another person must sign each off. Each host is checked again in a new boot before it becomes Ready.`}
      confirmWords={results.size === 0 ? `Record on ${hosts.length}` : "Send the rest"}
      cancelWords={results.size === 0 ? "Cancel" : "Close"}
      schema={recordSchema}
      values={beginning(procedure)}
      onValues={(values) => setSerial(values.serial)}
      fields={{
        serial: {
          label: "Serial numbers",
          hint: "scanned or read at each machine, one per line, in any order",
          rows: 3,
          maxLength: 20_000,
          mono: true,
        },
        "serial.results": <HostResults hosts={hosts} serial={serial} results={results} />,
        ...recordSpecs(procedure),
      }}
      after={<FileFields needs={procedure.evidence} onFiles={setFiles} />}
      missing={
        unknown[0] === undefined
          ? open[0] && `Read the serial number of ${open[0].name} at the machine`
          : `${unknown[0]} matches none of these hosts`
      }
      send={async (value, client) => {
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
      }}
      said={`Recorded ${procedure.name} on ${formatCounted(hosts.length, "host")}`}
      {...rest}
    />
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
