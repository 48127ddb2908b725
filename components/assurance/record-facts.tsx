// A procedure record as it is signed off: the checklist with values, the evidence with digests, and the decision.
import Link from "next/link";
import { IdText } from "@/components/ui/id-text";
import { ProofTime } from "@/components/ui/time/time";
import { confirmedText } from "@/server/domain/access/passkeys";
import { routes } from "@/server/domain/console/routes";
import type { RecordLine } from "@/server/surfaces/trpc/types";

function formatDecision({ decision, voided, decidedBy, decidedWith, decidedReason }: RecordLine): string {
  if (voided !== null) return `void: ${voided}`;
  if (decision === null) return "pending: another person signs it off";
  return `${decision} by ${decidedBy ?? "nobody"}${confirmedText(decidedWith)}${decidedReason === null || decidedReason === "" ? "" : `: ${decidedReason}`}`;
}

export function RecordFacts({ record }: { readonly record: RecordLine }) {
  return (
    <>
      <dl className="facts">
        <dt>Host</dt>
        <dd>
          <Link href={routes.host(record.host.name, { tab: "assurance" })}>{record.host.name}</Link>, serial{" "}
          <code>{record.serial}</code>
        </dd>
        <dt>Why</dt>
        <dd>{record.reason}</dd>
        <dt>Recorded by</dt>
        <dd>
          {record.operator}, <ProofTime at={record.recordedAt} />
        </dd>
        <dt>Done</dt>
        <dd>
          <ProofTime at={record.doneFrom} /> to <ProofTime at={record.doneUntil} />
          {record.place === "" ? null : `, ${record.place}`}
        </dd>
        {record.ticket === null ? null : (
          <>
            <dt>Ticket</dt>
            <dd>{record.ticket}</dd>
          </>
        )}
        <dt>Decision</dt>
        <dd>{formatDecision(record)}</dd>
      </dl>
      <Checklist record={record} />
      <Evidence record={record} />
      {record.comment === "" ? null : (
        <>
          <h3>Comment</h3>
          <p className="pre-line">{record.comment}</p>
        </>
      )}
    </>
  );
}

const Checklist = ({ record }: { readonly record: RecordLine }) => (
  <>
    <h3>Checklist</h3>
    <ul className="assurance-lines">
      {record.answers.map(({ text, value }) => (
        <li key={text}>
          <span>{text}</span>
          <span>{value === true ? "yes" : String(value)}</span>
        </li>
      ))}
    </ul>
  </>
);

const Evidence = ({ record }: { readonly record: RecordLine }) => (
  <>
    <h3>Evidence, SHA-256</h3>
    <ul className="assurance-lines">
      {record.files.map(({ sha256, name, shows }) => (
        <li key={`${sha256} ${shows}`}>
          <a href={`/api/evidence/${sha256}`} download={name}>
            {name}
          </a>
          <IdText id={sha256} />
        </li>
      ))}
      <li>
        <span>The whole record</span>
        <IdText id={record.evidence} />
      </li>
    </ul>
  </>
);
