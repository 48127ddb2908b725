"use client";
// The drawer that checks a file: dropped or chosen, sent to the server, which checks it with the code of `reclaim verify` and keeps nothing.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ProofCommand, ProofDrawer } from "@/components/assurance/proof/proof-drawer";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import type { CheckedFile } from "@/server/surfaces/trpc/types";
import { z } from "zod";
import { ShownError } from "@/components/trpc/query-client";
import { isOffline } from "@/components/trpc/refuse-offline";
import { checkedFile, maxCheckedBytes } from "@/server/contract/assurance/proof";
import { routes } from "@/server/domain/console/routes";

const refusal = z.object({ detail: z.string() });
const failed = "The check did not run. Check the connection and try again.";

/** Throws ShownError. */
async function checkFile(file: File): Promise<CheckedFile> {
  if (file.size > maxCheckedBytes)
    throw new ShownError("It is larger than 64 MiB. Check it with `reclaim verify`.");
  if (isOffline()) throw new ShownError("You are offline. Try again when the connection is back.");
  const response = await fetch(routes.files.proofCheck(), {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  const checked = checkedFile.safeParse(body);
  if (response?.ok === true && checked.success) return checked.data;
  const told = refusal.safeParse(body);
  throw new ShownError(told.success ? told.data.detail : failed);
}

const kindText = {
  certificate: "Certificate or receipt",
  pdf: "PDF of a certificate or receipt",
  pack: "Pack for an auditor",
} as const satisfies Record<CheckedFile["kind"], string>;

const verdictText = {
  holds: { tone: "good", words: "It holds" },
  notPlain: { tone: "attention", words: "It holds, and is not plainly proven" },
  unknownSigner: { tone: "waiting", words: "Cannot tell who signed it" },
  tampered: { tone: "failed", words: "Does not hold" },
} as const satisfies Record<CheckedFile["verdict"], { readonly tone: Tone; readonly words: string }>;

export function CheckDrawer({ onClose }: { readonly onClose: () => void }) {
  const check = useMutation({ mutationFn: checkFile });
  const [over, setOver] = useState(false);
  const [name, setName] = useState("");
  const begin = (file: File | undefined) => {
    if (file === undefined) return;
    setName(file.name);
    check.mutate(file);
  };
  return (
    <ProofDrawer title="Check a file" onClose={onClose}>
      <p className="text-quiet">
        A certificate, a signed receipt or a pack, as JSON, PDF or pack.tar. It is checked with the keys of
        this site&rsquo;s log and the code of <code>reclaim verify</code>. Nothing of it is kept.
      </p>
      <label
        className="proof-drop"
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          begin(event.dataTransfer.files[0]);
        }}
      >
        Drop a file here, or choose one
        <input
          type="file"
          aria-label="File to check"
          accept=".json,.pdf,.tar"
          disabled={check.isPending}
          onChange={(event) => {
            begin(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </label>
      <div role="status">
        {check.isPending ? <p className="text-quiet">{name} is being checked…</p> : null}
        {check.isSuccess ? <Answer name={name} checked={check.data} /> : null}
      </div>
      {check.isError ? <ProblemNotice error={check.error} before={`${name} was not checked.`} /> : null}
    </ProofDrawer>
  );
}

function Answer({ name, checked }: { readonly name: string; readonly checked: CheckedFile }) {
  const { tone, words } = verdictText[checked.verdict];
  return (
    <>
      <div className="proof-verdict" data-tone={tone}>
        <Mark tone={tone} label="" />
        <div>
          <b>{words}</b>
          <p>{checked.says}</p>
          <p className="text-quiet">
            {name}: {kindText[checked.kind]}. <code>reclaim verify</code> ends with exit code {checked.exit}.
          </p>
        </div>
      </div>
      {checked.faults.length === 0 ? null : (
        <ul className="proof-points">
          {checked.faults.map(({ what, why }) => (
            <li key={`${what} ${why}`}>
              <Mark tone="failed" label="" />
              <span>
                <b>{what}</b>: {why}
              </span>
            </li>
          ))}
        </ul>
      )}
      <ul className="proof-lines">
        {checked.lines
          .filter((line) => line !== checked.says)
          .map((line) => (
            <li key={line}>{line}</li>
          ))}
      </ul>
      <ProofCommand
        label="Without us, on your own machine, with a key that you got over another channel"
        text={`reclaim verify ${name} --key KEY`}
      />
    </>
  );
}
