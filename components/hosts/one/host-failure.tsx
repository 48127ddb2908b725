"use client";
// What a host stopped for or keeps failing at: the causes, what to check next, other hosts with the same, and the machines' answers.
import Link from "next/link";
import { LinkedDrives } from "@/components/hosts/drives/linked-drives";
import { CopyButton } from "@/components/ui/copy-button";
import { usePrinting } from "@/components/ui/media/use-printing";
import { routes } from "@/server/domain/console/routes";
import { formatCounted } from "@/server/domain/numbers";
import type { HostDetail } from "@/server/surfaces/trpc/types";

type Failure = NonNullable<HostDetail["failure"]>;

/** The first sentence is the cause of the stop; consequences follow in a quieter style. */
export function FailureLines({ failure }: { failure: Failure }) {
  const [first, ...others] = failure.says;
  return (
    <>
      <p className="says">
        <b>
          <LinkedDrives words={first ?? ""} serials={failure.drives} />
        </b>
      </p>
      {others.map((sentence) => (
        <p key={sentence} className="says next">
          <LinkedDrives words={sentence} serials={failure.drives} />
        </p>
      ))}
      <div className="check-next">
        <h2>What to check next</h2>
        <p>{failure.checkNext}</p>
        <AlikeLine alike={failure.alike} />
      </div>
      <DeviceAnswers answers={failure.answers} />
    </>
  );
}

function AlikeLine({ alike }: Pick<Failure, "alike">) {
  if (alike === null || alike.hosts === 0) return null;
  return (
    <p>
      <Link className="link" href={routes.hosts({ q: alike.filter })}>
        The same on {formatCounted(alike.hosts, "other host")} with {alike.model}
      </Link>
    </p>
  );
}

/** Verbatim, for vendor tickets and readers of status codes. Collapsed on screen, expanded on paper. */
function DeviceAnswers({ answers }: Pick<Failure, "answers">) {
  const printing = usePrinting();
  if (answers.length === 0) return null;
  const text = answers.map((answer) => `${answer.of}\n${answer.text}`.trim()).join("\n\n");
  return (
    <details className="device-answers" open={printing}>
      <summary>Device answers ({answers.length})</summary>
      {answers.map(({ of, text: answer }, index) => (
        <div key={`${of} ${index}`}>
          {of === "" ? null : <p className="text-quiet">{of}</p>}
          <pre>{answer}</pre>
        </div>
      ))}
      <CopyButton text={text} what="device answers" />
    </details>
  );
}
