"use client";
// One return in the side panel: its standing, what was proven, exceptions with their people, drives, timeline, and verification in this browser.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { VerifyCertificate } from "@/components/assurance/certificates/verify-certificate";
import { ProofCommand } from "@/components/assurance/proof/proof-drawer";
import { FileLinks, FullTime, isInProgress } from "@/components/assurance/proof/return-cells";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/mark";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { standingMeaning, standingText, standingTone } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";
import type { ProofReturn, ReturnDrive, ReturnException } from "@/server/surfaces/trpc/types";
import { useState } from "react";
import { timelineQuery } from "@/components/assurance/proof/proof-query";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { formatCounted } from "@/server/domain/numbers";
import type { Tone } from "@/components/ui/tone";

// Exceptions and drives of one return.
function ReturnExceptions({
  exceptions,
  isTenant,
}: {
  readonly exceptions: readonly ReturnException[];
  readonly isTenant: boolean;
}) {
  if (exceptions.length === 0) return null;
  return (
    <>
      <h3>{formatCounted(exceptions.length, "exception")}</h3>
      {exceptions.map((each) => (
        <div key={`${each.gate} ${each.serial ?? ""}`} className="proof-exception">
          <p>
            <b>
              {each.gate}
              {each.serial === null ? "" : `, drive ${each.serial}`}
            </b>{" "}
            {each.meaning}.
          </p>
          {isTenant ? (
            <p>
              Two people of the provider decided it
              {each.decidedAt === null ? null : (
                <>
                  {" "}
                  on <FullTime at={each.decidedAt} />
                </>
              )}
              . Their reason stays with the provider.
            </p>
          ) : (
            <People each={each} />
          )}
          {each.until === null ? null : (
            <p className="text-quiet">
              Ends <FullTime at={each.until} />; then the host leaves allocation.
            </p>
          )}
        </div>
      ))}
    </>
  );
}

const People = ({
  each: { reason, measure, risk, askedBy, approvedBy },
}: {
  readonly each: ReturnException;
}) => (
  <>
    <p>{reason}</p>
    {measure === null || measure === "" ? null : <p className="text-quiet">Measure: {measure}</p>}
    {risk === null || risk === "" ? null : <p className="text-quiet">Remaining risk: {risk}</p>}
    {askedBy === null ? null : (
      <p>
        {askedBy.name} asked for it, <FullTime at={askedBy.at} />
      </p>
    )}
    {approvedBy === null ? null : (
      <p>
        {approvedBy.name} approved it, <FullTime at={approvedBy.at} />
      </p>
    )}
  </>
);

const results = {
  erased: { tone: "good", words: "erased and verified" },
  stated: { tone: "attention", words: "stated by a person" },
  missing: { tone: "failed", words: "missing" },
  notErased: { tone: "failed", words: "no verified erase" },
} as const satisfies Record<ReturnDrive["result"], { readonly tone: Tone; readonly words: string }>;

function ReturnDrives({
  drives,
  isTenant,
}: {
  readonly drives: readonly ReturnDrive[];
  readonly isTenant: boolean;
}) {
  const erased = drives.filter(({ result }) => result === "erased").length;
  return (
    <>
      <h3>
        Drives, {erased} of {drives.length} erased
      </h3>
      {drives.length === 0 ? <p className="text-quiet">No drive is on record.</p> : null}
      <ul className="proof-drives">
        {drives.map(({ serial, model, slot, result, technique, level, readBack, at }) => (
          <li key={`${model} ${serial}`}>
            <Mark tone={results[result].tone} label="" />
            <span>
              {isTenant ? (
                <span className="mono">{serial}</span>
              ) : (
                <Link className="link mono" href={routes.drives.one(serial, { model })} prefetch={false}>
                  {serial}
                </Link>
              )}{" "}
              <span className="text-quiet">
                {[slot, model].filter((part) => part !== null && part !== "").join(", ")}
              </span>
              <br />
              {[results[result].words, technique, level, readBack].filter((part) => part !== null).join(", ")}
              {at === null ? null : (
                <>
                  {", "}
                  <FullTime at={at} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

type Subject = "return" | "host" | "tenant" | "drive";

const subjectText = {
  return: "This return",
  host: "This machine",
  tenant: "This tenant",
} as const satisfies Record<Exclude<Subject, "drive">, string>;

const firstEntries = 20;

/** The timeline of a return, a machine, a drive or a tenant, page by page. */
function ReturnTimeline({ found, isTenant }: { readonly found: ProofReturn; readonly isTenant: boolean }) {
  const [of, setOf] = useState<Subject>("return");
  const [drive, setDrive] = useState("");
  const drives = found.drives.flatMap(({ id, serial }) => (id === null ? [] : { value: id, words: serial }));
  const ids = { return: found.id, host: found.host.id, tenant: found.tenant?.id } as const;
  const subjects = (["return", "host", "tenant"] as const).filter(
    (subject) => ids[subject] !== undefined && !(isTenant && subject === "host"),
  );
  return (
    <section aria-label="Timeline">
      <h3>Timeline</h3>
      <div className="proof-acts" role="group" aria-label="Timeline of">
        {subjects.map((subject) => (
          <Button
            key={subject}
            small
            kind={subject === of ? "ordinary" : "plain"}
            aria-pressed={subject === of}
            onClick={() => setOf(subject)}
          >
            {subjectText[subject]}
          </Button>
        ))}
        {drives.length === 0 ? null : (
          <Menu
            align="start"
            trigger={
              <Button small kind={of === "drive" ? "ordinary" : "plain"}>
                {of === "drive"
                  ? `Drive ${drives.find(({ value }) => value === drive)?.words ?? ""}`
                  : "A drive…"}
              </Button>
            }
          >
            <MenuChoice
              label="Timeline of a drive"
              value={of === "drive" ? drive : ""}
              choices={drives}
              onChoose={(id) => {
                setDrive(id);
                setOf("drive");
              }}
            />
          </Menu>
        )}
      </div>
      {of === "drive" ? (
        <Entries key={drive} of={of} id={drive} />
      ) : (
        <Entries key={of} of={of} id={ids[of] ?? found.id} />
      )}
    </section>
  );
}

function Entries({ of, id }: { readonly of: Subject; readonly id: string }) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(timelineQuery(trpc, { of, id, limit: firstEntries }));
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  if (list.isPending) return <Skeleton rows={4} />;
  if (list.isError)
    return (
      <ProblemNotice
        error={list.error}
        before="The timeline could not be read."
        onRetry={() => void list.refetch()}
      />
    );
  if (rows.length === 0) return <p className="text-quiet">Nothing is on record.</p>;
  return (
    <>
      <ol className="proof-timeline">
        {rows.map(({ id: entry, at, words, who, host }) => (
          <li key={entry}>
            <FullTime at={at} />
            <span>
              {words}
              {who === null ? null : <span className="text-quiet"> {who}</span>}
              {host === null ? null : <span className="text-quiet"> on {host}</span>}
            </span>
          </li>
        ))}
      </ol>
      {list.hasNextPage ? (
        <Button small busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show earlier entries
        </Button>
      ) : null}
    </>
  );
}

interface PanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

const titleOf = ({ host, instance, tenant }: ProofReturn, isTenant: boolean): string => {
  if (isTenant) return instance?.name ?? "Return";
  const name = host.name ?? host.serial ?? "Host";
  return tenant === null ? name : `${name}, returned by ${tenant.name}`;
};

export function ReturnPanel({ id, onClose }: PanelProps) {
  const trpc = useTRPC();
  const isTenant = useMe().tenant !== null;
  const read = useQuery(trpc.proof.get.queryOptions({ id }));
  const found = read.data;
  return (
    <SidePanel
      label="Return"
      title={found === undefined ? "Return" : titleOf(found, isTenant)}
      what={found?.host.serial == null ? "" : `serial ${found.host.serial}`}
      onClose={onClose}
    >
      {read.isPending ? <Skeleton rows={10} /> : null}
      {read.isError ? (
        <ProblemNotice
          error={read.error}
          before="The return could not be read."
          onRetry={() => void read.refetch()}
        />
      ) : null}
      {found === undefined ? null : <Found found={found} isTenant={isTenant} />}
    </SidePanel>
  );
}

function Found({ found, isTenant }: { readonly found: ProofReturn; readonly isTenant: boolean }) {
  const { instance, sku, site, rack, points, file, settledBy } = found;
  const place = [site === null ? null : `site ${site}`, rack === null ? null : `rack ${rack}`];
  const where = [instance === null ? null : `Instance ${instance.name}`, sku, ...place].filter(
    (part) => part !== null,
  );
  return (
    <>
      <p className="text-quiet">
        {where.join(", ")}; returned <FullTime at={found.at} />
      </p>
      <Verdict found={found} />
      {settledBy === null ? null : (
        <p>
          What it left open was settled by{" "}
          <Link className="link" href={routes.proof({ open: settledBy.id })}>
            {settledBy.name}
          </Link>
          .
        </p>
      )}
      {points.length === 0 ? null : (
        <>
          <h3>{isTenant ? "What this means for you" : "What was proven"}</h3>
          <ul className="proof-points">
            {points.map(({ tone, words }) => (
              <li key={words}>
                <Mark tone={tone} />
                <span>{words}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <ReturnExceptions exceptions={found.exceptions} isTenant={isTenant} />
      <ReturnDrives drives={found.drives} isTenant={isTenant} />
      <ReturnTimeline key={found.id} found={found} isTenant={isTenant} />
      {file?.signedAt == null ? null : <Verify id={file.id} />}
    </>
  );
}

function Verdict({ found }: { readonly found: ProofReturn }) {
  const { standing, says, endedAt, file } = found;
  const inProgress = isInProgress(found);
  const tone = inProgress ? "neutral" : standingTone[standing];
  return (
    <div className="proof-verdict" data-tone={tone}>
      <Mark tone={tone} label="" />
      <div>
        <b>{standingText[standing]}</b>
        {inProgress ? null : <p>{standingMeaning[standing]}</p>}
        <p className="text-quiet">
          {says}
          {endedAt === null ? null : (
            <>
              , ended <FullTime at={endedAt} />
            </>
          )}
          {file?.number == null ? null : <span className="mono"> {file.number}</span>}
        </p>
      </div>
      <FileLinks line={found} />
    </div>
  );
}

/** The same check as `reclaim verify`, in this browser. */
function Verify({ id }: { readonly id: string }) {
  const trpc = useTRPC();
  const read = useQuery(trpc.certificates.get.queryOptions({ id }));
  const command = `reclaim verify certificate-${id}.json`;
  return (
    <>
      {read.data === undefined ? null : <VerifyCertificate key={id} bundle={read.data.bundle} byKey />}
      {read.isError ? (
        <ProblemNotice
          error={read.error}
          before="The certificate could not be read."
          onRetry={() => void read.refetch()}
        />
      ) : null}
      <ProofCommand label="Or without us, on your own machine:" text={command} />
    </>
  );
}
