"use client";
// One drive: its identity, where it has been, every erase with its attempts, failures it caused, and its dispositions.
import { SignedFile } from "@/components/assurance/proof/signed-file";
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCounted } from "@/components/ui/format/numbers";
import { Facts, type Fact } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { ProofTime } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { DriveDetail } from "@/server/surfaces/trpc/types";
import { DispositionsTable, FailuresTable, StaysTable } from "@/components/hosts/drives/drive-tables";
import { ErasesTable } from "@/components/hosts/drives/erases-table";
import { driveStatus } from "@/components/hosts/drives/drive-status";

const refreshMs = 5_000;

export function DrivePage({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data: drive, refetch } = useSuspenseQuery(trpc.drives.get.queryOptions({ id }));
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const { stays, moreStays, erases, erasesTotal, failures, moreFailures, dispositions } = drive;
  return (
    <>
      <Head drive={drive} />
      <Section words="Hosts" sum={moreStays ? `the newest ${stays.length}` : "newest first"}>
        <StaysTable stays={stays} />
      </Section>
      <Section
        words="Erases"
        sum={
          erases.length < erasesTotal
            ? `the newest ${erases.length} of ${erasesTotal}`
            : formatCounted(erasesTotal, "result")
        }
      >
        <ErasesTable erases={erases} />
      </Section>
      <Section
        words="Failures"
        sum={
          moreFailures
            ? `the newest ${failures.length} that stopped hosts because of this drive`
            : "failures that this drive caused"
        }
      >
        <FailuresTable failures={failures} />
      </Section>
      <Section words="Dispositions" sum="what people recorded about it">
        <DispositionsTable dispositions={dispositions} />
      </Section>
    </>
  );
}

function Section({ words, sum, children }: { words: string; sum: string; children: ReactNode }) {
  return (
    <>
      <div className="sec">
        <h2>{words}</h2>
        <span className="sum cut">{sum}</span>
      </div>
      {children}
    </>
  );
}

const factsOf = (drive: DriveDetail): readonly Fact[] => [
  ["Manufacturer", drive.manufacturer ?? "not reported"],
  ["Firmware", drive.firmware ?? "not reported"],
  [
    "Medium",
    [...new Set([drive.media, drive.transport])].filter((part) => part !== null).join(", ") || "not reported",
  ],
  ["Size", drive.capacityBytes === null ? "not reported" : formatBytes(drive.capacityBytes)],
  ["WWN", drive.wwn ?? "not reported"],
  ["First seen", <ProofTime key="first" at={drive.firstSeenAt} />],
];

function Head({ drive }: { drive: DriveDetail }) {
  const { tone, words } = driveStatus(drive);
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.drives.list()}>
          Drives
        </Link>
        <h1 className="mono">{drive.serial}</h1>
        <span className="what">
          {drive.model} <CopyButton text={drive.serial} what={`serial ${drive.serial}`} />
        </span>
        <SignedFile text={drive.serial} />
      </div>
      <div className="now" data-tone={tone}>
        <div>
          <p className="line">
            <Mark tone={tone} live={false} />
            <span className="standing">{words}</span>
          </p>
          {drive.debts.map(({ chassisSerial, since }) => (
            <p key={`${chassisSerial} ${since.toISOString()}`} className="says next">
              Chassis {chassisSerial} has a sanitization debt for this drive since <ProofTime at={since} />.
              Debts identify drives by serial number only.
            </p>
          ))}
          {drive.twins.length === 0 ? null : (
            <p className="says next">
              Another drive has this serial number:{" "}
              {drive.twins.map(({ id, model }, index) => (
                <Fragment key={id}>
                  {index === 0 ? null : ", "}
                  <Link className="link" href={routes.drives.one(id)}>
                    {model}
                  </Link>
                </Fragment>
              ))}
              .
            </p>
          )}
        </div>
        <Facts facts={factsOf(drive)} />
      </div>
    </>
  );
}
