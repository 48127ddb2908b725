"use client";
// The drawer for a pack: what is in it, how it is made, and how whoever gets it checks it.
import { useState } from "react";
import { selectionOptions } from "@/components/proof/proof-selection";
import type { ProofSelection } from "@/components/proof/proof-selection";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { routes } from "@/server/domain/console/routes";
import { tallyText } from "@/server/domain/proof/tally-text";
import { maxReturns } from "@/server/domain/proof/pack/index-form";
import type { Tally } from "@/server/surfaces/trpc/types";

interface DrawerProps {
  readonly selection: ProofSelection;
  readonly tally: Tally | null;
  readonly onClose: () => void;
}

export function PackDrawer({ selection, tally, onClose }: DrawerProps) {
  const [pdf, setPdf] = useState(false);
  const name = `${[selection.tenant, selection.month, "proof"].filter((part) => part !== undefined).join("-")}.pack.tar`;
  const verify = `reclaim verify ${name}`;
  const make = ["reclaim proof pack", selectionOptions(selection), pdf ? "--pdf" : "", `--to ${name}`]
    .filter((part) => part !== "")
    .join(" ");
  return (
    <section className="proof-drawer" aria-label="Pack for an auditor">
      <div className="head">
        <h2>Pack for an auditor</h2>
        <div className="acts">
          <Button small kind="plain" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
      <p className="text-quiet">One archive that proves itself: it needs no account here and no network.</p>
      <dl className="proof-inside">
        <dt>Certificates</dt>
        <dd>
          {tally === null
            ? "of all that is selected"
            : `${tallyText(tally)}. Those that are signed have a file.`}
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
      <Command label="Whoever gets it checks all of it with" text={verify} />
      <Command label="Or make it on the command line" text={make} />
      {tally !== null && tally.returns > maxReturns ? (
        <Notice tone="attention">
          A pack has at most {maxReturns} returns. Select a month, a tenant or a site.
        </Notice>
      ) : (
        <div className="proof-acts">
          <a className="btn main" href={routes.files.proofPack({ ...selection, pdf })} download={name}>
            Make the pack
          </a>
          <span className="text-quiet">Who made it and when is in the log.</span>
        </div>
      )}
    </section>
  );
}

const Command = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <>
    <p className="text-quiet">{label}</p>
    <div className="proof-command">
      <code>{text}</code>
      <CopyButton text={text} what="the command" />
    </div>
  </>
);
