"use client";
// The drawer for a pack: what is in it, how large it is, how it is made, and how whoever gets it checks it.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { saveFile } from "@/components/ui/save-file";
import { ProofCommand, ProofDrawer } from "@/components/assurance/proof/proof-drawer";
import { type ProofSelection, selectionOptions } from "@/components/assurance/proof/proof-selection";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { type ProofQuery, routes } from "@/server/domain/console/routes";
import { tallyText } from "@/server/domain/assurance/proof/tally-text";
import { maxReturns } from "@/server/domain/assurance/proof/pack/index-form";
import type { Tally } from "@/server/surfaces/trpc/types";
import { z } from "zod";
import { ShownError } from "@/components/trpc/query-client";

const refusal = z.object({ detail: z.string() });

/** Throws ShownError with the server's reason. @param onBytes is called with the bytes received so far */
async function fetchPack(
  selection: ProofQuery & { readonly pdf: boolean },
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<readonly BlobPart[]> {
  const response = await fetch(routes.files.proofPack(selection), { signal });
  if (!response.ok || response.body === null) {
    const told = refusal.safeParse(await response.json().catch(() => null));
    throw new ShownError(told.success ? told.data.detail : "The server did not make it. Try again.");
  }
  const parts: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    onBytes((bytes += read.value.length));
  }
  return parts;
}

interface DrawerProps {
  readonly selection: ProofSelection;
  readonly tally: Tally | null;
  readonly onClose: () => void;
}

export function PackDrawer({ selection, tally, onClose }: DrawerProps) {
  const trpc = useTRPC();
  const [pdf, setPdf] = useState(false);
  const files = useQuery(trpc.proof.files.queryOptions(selection)).data;
  const name = `${[selection.tenant, selection.month, "proof"].filter((part) => part !== undefined).join("-")}.pack.tar`;
  const make = ["reclaim proof pack", selectionOptions(selection), pdf ? "--pdf" : "", `--to ${name}`]
    .filter((part) => part !== "")
    .join(" ");
  const size = files === undefined ? null : formatBytes(String(files.bytes));
  return (
    <ProofDrawer title="Pack for an auditor" onClose={onClose}>
      <p className="text-quiet">One archive that proves itself: it needs no account here and no network.</p>
      <dl className="proof-inside">
        <dt>{files === undefined ? "Certificates" : formatCounted(files.certificates, "certificate")}</dt>
        <dd>
          {tally === null
            ? "of all that is selected"
            : `${tallyText(tally)}. Those that are signed have a file.`}
          {size === null ? null : ` About ${size} as JSON.`}
        </dd>
        <dt>Index</dt>
        <dd>
          every return that is selected, also those that are not proven, as JSON and CSV; its digest is in the
          audit log
        </dd>
        <dt>Keys</dt>
        <dd>public keys of the log, with the days on which they were in use</dd>
        <dt>Checkpoint</dt>
        <dd>one signed state of the log, and the proof from each certificate to it</dd>
      </dl>
      <label className="proof-check">
        <input type="checkbox" checked={pdf} onChange={(event) => setPdf(event.target.checked)} /> With a PDF
        of each certificate, which takes longer
      </label>
      <ProofCommand label="Whoever gets it checks all of it with" text={`reclaim verify ${name}`} />
      <ProofCommand label="Or make it on the command line" text={make} />
      <AuditorLink selection={selection} />
      {tally !== null && tally.returns > maxReturns ? (
        <Notice tone="attention">
          A pack has at most {maxReturns} returns. Select a month, a tenant or a site.
        </Notice>
      ) : (
        <Make selection={selection} pdf={pdf} name={name} size={size} />
      )}
    </ProofDrawer>
  );
}

const noChanges = () => () => undefined;

/** Reclaim sends no mail: whoever makes the pack gives it to the auditor, or the address of this selection. */
function AuditorLink({ selection }: { readonly selection: ProofSelection }) {
  // Only the browser knows under which address it reached the console.
  const origin = useSyncExternalStore(
    noChanges,
    () => window.location.origin,
    () => "",
  );
  return (
    <ProofCommand
      label="An auditor with an account here finds the same selection at"
      text={`${origin}${routes.proof(selection)}`}
      what="the address"
    />
  );
}

interface MakeProps {
  readonly selection: ProofSelection;
  readonly pdf: boolean;
  readonly name: string;
  /** Of the certificates as JSON. */
  readonly size: string | null;
}

function Make({ selection, pdf, name, size }: MakeProps) {
  const [bytes, setBytes] = useState(0);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const making = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      leaving.current = controller;
      setBytes(0);
      const parts = await fetchPack({ ...selection, pdf }, controller.signal, setBytes);
      saveFile(name, ...parts);
    },
  });
  const isCancelled = making.error?.name === "AbortError";
  return (
    <>
      <div className="proof-acts">
        <Button kind="main" busy={making.isPending} onClick={() => making.mutate()}>
          Make the pack{size === null ? "" : `, about ${size}${pdf ? " and its PDFs" : ""}`}
        </Button>
        {making.isPending ? (
          <Button small onClick={() => leaving.current?.abort()}>
            Cancel
          </Button>
        ) : null}
        <span className="text-quiet" role="status">
          {making.isPending
            ? bytes === 0
              ? "The audit log signs the index…"
              : `${formatBytes(String(bytes))} received…`
            : making.isSuccess
              ? `${name} was saved, ${formatBytes(String(bytes))}.`
              : isCancelled
                ? "Cancelled. Nothing was saved."
                : "Who made it and when is in the log."}
        </span>
      </div>
      {making.isError && !isCancelled ? (
        <ProblemNotice error={making.error} before="The pack was not made." onRetry={() => making.mutate()} />
      ) : null}
    </>
  );
}
