"use client";
// One instance after its release: the progress of its machine, and then the receipt, to print or to save as JSON.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { instancesHref } from "@/components/instances/instances-view";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { SignedFile } from "@/components/assurance/proof/signed-file";
import { type Fact, Facts } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { ProofTime } from "@/components/ui/time/time";
import type { Tone } from "@/components/ui/tone";
import type { InstanceReceipt, ReceiptDrive, ReceiptStep } from "@/server/surfaces/trpc/types";
import { formatBytes } from "@/components/ui/format/bytes";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { standingText } from "@/server/domain/assurance/standing";

// Labels and marks for the parts of a receipt.
interface Look {
  readonly tone: Tone;
  readonly words: string;
}

const resultLooks = {
  open: { tone: "working", words: "Being reclaimed" },
  proven: { tone: "good", words: standingText.proven },
  provenWithExceptions: { tone: "attention", words: standingText.provenWithExceptions },
  notSanitized: { tone: "failed", words: standingText.notSanitized },
  unproven: { tone: "failed", words: standingText.notProven },
  nothing: { tone: "neutral", words: "Nothing to prove" },
} as const satisfies Record<InstanceReceipt["result"], Look>;

/** The overall result; says so if the machine waits for the provider. */
const resultLook = ({ result, attention }: Pick<InstanceReceipt, "result" | "attention">): Look =>
  attention ? { tone: "attention", words: "Waiting for the provider" } : resultLooks[result];

const stepLooks = {
  done: { tone: "good", words: "done" },
  current: { tone: "working", words: "in progress" },
  ahead: { tone: "neutral", words: "not yet" },
  never: { tone: "failed", words: "not done" },
} as const satisfies Record<ReceiptStep["state"], Look>;

const driveLooks = {
  erased: { tone: "good", words: "erased" },
  erasing: { tone: "working", words: "being erased" },
  waiting: { tone: "waiting", words: "waiting" },
  missing: { tone: "attention", words: "not found" },
  stated: { tone: "attention", words: "stated by the provider" },
  untreated: { tone: "attention", words: "no result" },
} as const satisfies Record<ReceiptDrive["state"], Look>;

const checkLooks = {
  satisfied: { tone: "good", words: "held" },
  excepted: { tone: "attention", words: "passed by an exception" },
  waived: { tone: "attention", words: "left out by the provider" },
  notRequired: { tone: "neutral", words: "does not apply to this machine" },
  notChecked: { tone: "neutral", words: "not checked" },
} as const satisfies Record<InstanceReceipt["checks"][number]["status"], Look>;

const column = columnsOf<ReceiptDrive>();

const columns = [
  column.name("drive", "Drive", ({ serial }) => serial, { width: 176, className: "mono" }),
  column.cell(
    "model",
    "Model, size",
    ({ model, capacityBytes }) =>
      [model, capacityBytes === null ? null : formatBytes(capacityBytes)]
        .filter((part) => part !== null)
        .join(", ") || "not on record",
    { width: 208, narrow: "bottom-start", className: "text-soft wrapping" },
  ),
  column.cell(
    "state",
    "State",
    ({ state, percent }) => (
      <span className="marked-text">
        <Mark tone={driveLooks[state].tone} live={state === "erasing"} label="" />
        <span className="cut">
          {driveLooks[state].words}
          {percent === null ? "" : `, ${Math.round(percent)} %`}
        </span>
      </span>
    ),
    { width: 152, narrow: "top-end" },
  ),
  column.cell(
    "how",
    "Method and read-back",
    ({ technique, level, standard, verification, statement }) =>
      technique === null ? (
        statement
      ) : (
        <>
          <span className="mono">{technique}</span>, {level} by {standard}; {verification ?? "not read back"}
        </>
      ),
    { narrow: "line", className: "text-soft wrapping" },
  ),
  column.proofTime("time", "Time", ({ at }) => at, {
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    none: null,
  }),
];

/** The drives that a machine had at its release, and what is on record for each. */
const ReceiptDrives = ({ drives }: { drives: readonly ReceiptDrive[] }) => (
  <DataTable caption="Drives" columns={columns} rows={drives} rowId={({ serial }) => serial} />
);

const refreshMs = 1500;

export function ReceiptPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data: receipt, refetch } = useSuspenseQuery(trpc.instances.receipt.queryOptions({ id }));
  useLiveRefresh(() => refetch(), { everyMs: refreshMs, enabled: receipt.result === "open" });
  const { releaseRequestedAt, endedAt } = receipt.instance;
  const isHeld = releaseRequestedAt === null && endedAt === null;
  return (
    <>
      <Head receipt={receipt} isHeld={isHeld} />
      {isHeld ? (
        <Empty title="Not released yet">
          After the release, the progress of the machine appears here, and then the receipt.
        </Empty>
      ) : (
        <Parts receipt={receipt} />
      )}
    </>
  );
}

function factsOf({ instance, machine, tenant, provenAt, reclamationId }: InstanceReceipt): readonly Fact[] {
  const time = (at: Date | null) => (at === null ? "not yet" : <ProofTime at={at} />);
  return [
    [
      "Instance",
      <span key="instance" className="mono">
        {instance.id}
      </span>,
    ],
    [
      "Machine",
      <span key="machine" className="mono">
        {machine.id}
      </span>,
    ],
    ["Tenant", `${tenant.name} (${tenant.org})`],
    [
      "Place",
      [machine.site, machine.sku].filter((part) => part !== null).join(", ") || "no longer in the fleet",
    ],
    ["Released", time(instance.releaseRequestedAt)],
    ["Off your network", time(instance.endedAt)],
    ["Every check ended", time(provenAt)],
    [
      "Provider's record",
      reclamationId === null ? (
        "not started"
      ) : (
        <span key="record" className="mono">
          {reclamationId}
        </span>
      ),
    ],
  ];
}

/** The complete receipt, for the tenant's own records. */
const jsonOf = (receipt: InstanceReceipt): string => `${JSON.stringify(receipt, null, 2)}\n`;

function Acts({ receipt }: { receipt: InstanceReceipt }) {
  const json = jsonOf(receipt);
  return (
    <div className="acts">
      <SignedFile text={receipt.instance.id} />
      <CopyButton text={json} what="the receipt as JSON" />
      <a
        className="btn plain"
        href={`data:application/json;charset=utf-8,${encodeURIComponent(json)}`}
        download={`receipt-${receipt.instance.id}.json`}
      >
        Download JSON
      </a>
      <Button onClick={() => window.print()}>Print</Button>
    </div>
  );
}

function Head({ receipt, isHeld }: { receipt: InstanceReceipt; isHeld: boolean }) {
  const { tone, words } = resultLook(receipt);
  return (
    <>
      <div className="head">
        <Link className="back" href={instancesHref({ show: isHeld ? "open" : "ended", open: null })}>
          Instances
        </Link>
        <h1>{receipt.instance.name}</h1>
        {isHeld ? null : (
          <>
            <span className="what">{receipt.result === "open" ? "released" : "receipt"}</span>
            <Acts receipt={receipt} />
          </>
        )}
      </div>
      {isHeld ? null : (
        <div className="now" data-tone={tone}>
          <div>
            <p className="line">
              <Mark tone={tone} live={tone === "working"} label="" />
              {words}
            </p>
            <p className="says">{receipt.says}</p>
            {receipt.attention ? (
              <p className="says next">
                The provider has to check the machine before it continues. You don&apos;t have to do anything.
              </p>
            ) : null}
          </div>
          <Facts facts={factsOf(receipt)} />
        </div>
      )}
    </>
  );
}

interface Line {
  readonly key: string;
  readonly tone: Tone;
  readonly words: string;
  readonly state: string;
  readonly at: Date | null;
}

const Lines = ({ lines, ordered }: { lines: readonly Line[]; ordered: boolean }) => {
  const List = ordered ? "ol" : "ul";
  return (
    <List className="receipt-lines">
      {lines.map(({ key, tone, words, state, at }) => (
        <li key={key}>
          <Mark tone={tone} live={tone === "working"} label="" />
          <span>{words}</span>
          <span className="text-small text-quiet">
            {state}
            {at === null ? null : (
              <>
                , <ProofTime at={at} />
              </>
            )}
          </span>
        </li>
      ))}
    </List>
  );
};

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <div className="sec">
      <h2>{title}</h2>
    </div>
    {children}
  </>
);

/** If the provider has to act, the current step is shown as waiting. */
const stepLine =
  (attention: boolean) =>
  ({ step, state, words, at }: ReceiptStep): Line => ({
    key: step,
    words,
    at,
    ...(state === "current" && attention
      ? { tone: "attention", state: "waiting for the provider" }
      : { tone: stepLooks[state].tone, state: stepLooks[state].words }),
  });

function Parts({ receipt: { steps, drives, checks, limits, attention } }: { receipt: InstanceReceipt }) {
  const checkLines = checks.map(({ gate, meaning, status }) => ({
    key: gate,
    words: meaning,
    at: null,
    tone: checkLooks[status].tone,
    state: checkLooks[status].words,
  }));
  return (
    <>
      <Section title="Steps">
        <Lines ordered lines={steps.map(stepLine(attention))} />
      </Section>
      {drives.length === 0 ? null : (
        <Section title="Drives">
          <ReceiptDrives drives={drives} />
        </Section>
      )}
      {checks.length === 0 ? null : (
        <Section title="Checks">
          <Lines ordered={false} lines={checkLines} />
        </Section>
      )}
      {limits.length === 0 ? null : (
        <Section title="What this does not prove">
          <ul className="receipt-limits">
            {limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
