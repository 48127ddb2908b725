// A gate's evidence: sentences with links to details, and below them the evidence verbatim.
import Link from "next/link";
import { LinkedDrives } from "@/components/hosts/drives/linked-drives";
import { CopyButton } from "@/components/ui/copy-button";
import { ProofTime } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { GateLine, HostDetail } from "@/server/surfaces/trpc/types";

export type EvidenceHost = Pick<HostDetail, "name" | "sku">;
type Subject = GateLine["sentences"][number]["subject"];

/** The page with more about a sentence; null if there is none. */
function placeOf(subject: Subject, { name, sku }: EvidenceHost): { href: string; words: string } | null {
  switch (subject) {
    case "steps":
      return { href: routes.host(name), words: "Step runs" };
    case "inventory":
      return { href: routes.host(name, { tab: "inventory" }), words: "Inventory" };
    case "platform":
      return { href: routes.host(name, { tab: "platform" }), words: "Platform" };
    case "sku":
      return sku === null ? null : { href: routes.sku(sku), words: `SKU ${sku}` };
    case "health":
      return { href: routes.host(name, { tab: "health" }), words: "Health" };
    case "assurance":
      return { href: routes.host(name, { tab: "assurance" }), words: "Assurance" };
    case "network":
      return null;
  }
}

interface GateEvidenceProps {
  row: GateLine;
  host: EvidenceHost | null;
  /** Nothing is collapsed, as in print. */
  whole: boolean;
}

/** Shown below the gate's row. */
export function GateEvidence({ row, host, whole }: GateEvidenceProps) {
  const { gate, meaning, sentences, drives, evidence, evaluatedAt, generation, evidenceSeq } = row;
  const raw = JSON.stringify(evidence, null, 2);
  return (
    <div className="gate-evidence">
      <p>{meaning}.</p>
      <ul>
        {sentences.map(({ words, subject }) => {
          const place = host === null ? null : placeOf(subject, host);
          return (
            <li key={words}>
              <LinkedDrives words={words} serials={drives} />{" "}
              {place === null ? null : (
                <Link className="link" href={place.href} scroll={false}>
                  {place.words}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {evaluatedAt === null ? null : (
        <p>
          Evaluated <ProofTime at={evaluatedAt} /> by the decision of generation {generation}, from evidence
          up to number {evidenceSeq}.
        </p>
      )}
      <details open={whole}>
        <summary>Raw evidence</summary> <CopyButton text={raw} what={`the evidence of ${gate}`} />
        <pre className="log whole" tabIndex={0} aria-label={`Evidence of ${gate}`}>
          {raw}
        </pre>
      </details>
    </div>
  );
}
