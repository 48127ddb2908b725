"use client";
// One instance after its release: the progress of its machine, and then the receipt, to print or to save as JSON.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { instancesHref } from "@/components/instances/instances-view";
import { ReceiptDrives } from "@/components/instances/receipt/receipt-drives";
import { checkLooks, resultLook, stepLooks } from "@/components/instances/receipt/receipt-look";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { SignedFile } from "@/components/assurance/proof/signed-file";
import { Facts, type Fact } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { ProofTime } from "@/components/ui/time/time";
import type { Tone } from "@/components/ui/tone";
import type { InstanceReceipt, ReceiptStep } from "@/server/surfaces/trpc/types";

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
