"use client";
// A host's Attestation tab: the identity of its TPM, who vouches for it, the way to accept another key, and how its boot was measured.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Measurement } from "@/components/hosts/attestation/measurement-section";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Facts, type Fact } from "@/components/ui/head/facts";
import { Notice } from "@/components/ui/notice";
import { ProofTime } from "@/components/ui/time/time";
import { acceptanceText, certificateText, makeText, tpmStateText } from "@/server/domain/attestation/text";
import type { HostAttestationView, HostDetail } from "@/server/surfaces/trpc/types";

const refreshMs = 5000;

export function AttestationTab({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const trpc = useTRPC();
  const { data: tpm, refetch } = useSuspenseQuery(trpc.attestation.ofHost.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  return (
    <Attestation
      host={host}
      tpm={tpm}
      onDone={() => {
        void refetch();
        onDone();
      }}
    />
  );
}

interface AttestationProps {
  readonly host: Pick<HostDetail, "actions" | "id" | "name">;
  readonly tpm: HostAttestationView;
  readonly onDone: () => void;
}

export function Attestation({ host, tpm, onDone }: AttestationProps) {
  return (
    <>
      <div className="sec">
        <h2>Attestation</h2>
        <span className="sum cut">identity of the TPM: {tpmStateText[tpm.state]}</span>
      </div>
      {tpm.state === "changed" && tpm.key !== null ? (
        <Changed host={host} tpm={tpm} digest={tpm.key.digest} onDone={onDone} />
      ) : (
        <p className="text-quiet after">
          {tpm.cause === null ? "" : `${tpm.cause}: `}
          {tpm.words}
        </p>
      )}
      <Facts facts={factsOf(tpm)} />
      <Measurement host={host} measurement={tpm.measurement} onDone={onDone} />
    </>
  );
}

/** What differs, with the way to accept it. */
function Changed({ host, tpm, digest, onDone }: AttestationProps & { readonly digest: string }) {
  const [asked, setAsked] = useState(false);
  const mayAccept = host.actions.some(({ intent }) => intent === "disposeDrive");
  return (
    <div className="after">
      <Notice tone="failed">
        {tpm.cause}: {tpm.words}
      </Notice>
      {mayAccept ? (
        <Button small onClick={() => setAsked(true)}>
          Accept new key…
        </Button>
      ) : null}
      {asked ? (
        <ActDialog
          title={`Accept the new endorsement key of ${host.name}?`}
          consequence={`The key ${digest} counts as the host's from now on, in place of ${tpm.accepted?.digest ?? "none"}.`}
          confirmWords="Accept key"
          reason="For example, an RMA number."
          send={({ reason }, client) =>
            client.attestation.acceptKey.mutate({ hostId: host.id, digest, reason })
          }
          said="Endorsement key accepted"
          onClose={() => setAsked(false)}
          onDone={onDone}
        />
      ) : null}
    </div>
  );
}

function factsOf({ key, accepted, bootEpoch }: HostAttestationView): readonly Fact[] {
  const make = key === null ? null : makeText(key.certificate);
  const shown: readonly (Fact | null)[] = [
    key && [
      "Key",
      <span key="key" className="mono">
        {key.digest}
      </span>,
    ],
    key && ["Certificate", certificateText(key.certificate)],
    make === null ? null : ["Made as", make],
    key?.activatedAt == null
      ? null
      : [
          "Proven",
          <span key="proven">
            <ProofTime at={key.activatedAt} />, boot {bootEpoch}
          </span>,
        ],
    accepted === null || accepted.digest === key?.digest
      ? null
      : [
          "Host's key",
          <span key="host" className="mono">
            {accepted.digest}
          </span>,
        ],
    accepted && [
      "Accepted",
      <span key="accepted">
        {acceptanceText[accepted.as]}
        {accepted.by === null ? "" : ` (${accepted.by})`}, <ProofTime at={accepted.at} />, boot{" "}
        {accepted.bootEpoch}
      </span>,
    ],
  ];
  return shown.filter((fact) => fact !== null);
}
