"use client";
// Verifies the log and certificates in the browser, with the code of `reclaim audit verify` and `reclaim verify`: the server supplies files, not a verdict.
import { useMemo, useState } from "react";
import { CheckLog } from "@/components/audit-log/verify/check-log";
import { readTrust } from "@/components/audit-log/verify/trust";
import { Field, TextArea } from "@/components/ui/form/controls";
import { verdictOf } from "@/components/assurance/certificates/certificate-text";
import { Faults } from "@/components/audit-log/verify/faults";
import { type Fact, Facts } from "@/components/ui/head/facts";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { classNames } from "@/components/ui/table/columns";
import type { Policy } from "@/server/domain/audit-log/policy";
import { type VerifiedCertificate, verifyBundle } from "@/server/domain/assurance/certificates/verify";

/** A larger file is not a bundle. */
const maxBytes = 32 * 1024 * 1024;

type Checked =
  | { readonly name: string; readonly verified: VerifiedCertificate }
  | { readonly name: string; readonly why: string };

async function checkFile(file: File, policy: Policy, kept: string): Promise<Checked> {
  const { name, size } = file;
  if (size > maxBytes) return { name, why: "is too large for a certificate bundle (32 MiB at most)." };
  try {
    const before = kept.trim() === "" ? null : `${kept.trim()}\n`;
    return { name, verified: await verifyBundle(await file.text(), policy, before) };
  } catch (error) {
    return { name, why: `could not be checked: ${error instanceof Error ? error.message : String(error)}` };
  }
}

interface CheckCertificateProps {
  /** Null if the text is neither keys nor a policy. */
  readonly policy: Policy | null;
  readonly kept: string;
}

/** Verifies a certificate bundle that was dropped or chosen. It runs in the browser; the file is not sent anywhere. */
function CheckCertificate({ policy, kept }: CheckCertificateProps) {
  const [checked, setChecked] = useState<readonly Checked[]>([]);
  const [over, setOver] = useState(false);
  const check = (files: readonly File[]) => {
    if (policy === null)
      return setChecked([{ name: "Nothing", why: "is checked until the keys can be read." }]);
    void Promise.all(files.map((file) => checkFile(file, policy, kept))).then(setChecked);
  };
  return (
    <section aria-label="Check a certificate">
      <div className="sec">
        <h2>A certificate</h2>
        <span className="sum cut">checked in this browser; nothing is uploaded</span>
      </div>
      <div
        className={classNames("audit-drop", over && "over")}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          check([...event.dataTransfer.files]);
        }}
      >
        <label htmlFor="audit-bundle">Drop bundles here, or choose them</label>
        <input
          id="audit-bundle"
          type="file"
          accept=".json,application/json"
          multiple
          onChange={(event) => check([...(event.target.files ?? [])])}
        />
      </div>
      {checked.map((one, place) => (
        <One key={`${one.name} ${place}`} checked={one} />
      ))}
    </section>
  );
}

function One({ checked }: { checked: Checked }) {
  if ("why" in checked)
    return (
      <Notice tone="failed">
        {checked.name} {checked.why}
      </Notice>
    );
  const { name, verified } = checked;
  const { tone, words } = verdictOf(verified);
  return (
    <>
      <Notice tone={tone}>
        {name}: {words}
      </Notice>
      <Faults caption={`Faults of ${name}`} faults={verified.faults} />
      {verified.faults.length > 0 ? null : <Facts facts={factsOf(verified)} />}
    </>
  );
}

/** What the certificate proves, and what it does not. */
function factsOf({ statement, index, size, witnesses, digest }: VerifiedCertificate): readonly Fact[] {
  if (statement === null) return [];
  const { predicate } = statement;
  const serial = "host" in predicate ? predicate.host.serial : predicate.machine.serial;
  return [
    ["Host", serial],
    ["Event", `${index} of a log of ${formatCounted(size, "event")}`],
    [
      "SHA-256",
      <span key="digest" className="mono">
        {digest ?? ""}
      </span>,
    ],
    ...witnesses.map((name): Fact => ["Cosigned by", name]),
    ...predicate.devices.map(({ serial: drive, model, result, technique, method }): Fact => [
      `Drive ${drive}`,
      `${model}: ${result}${technique === null ? "" : `, ${technique} (${method ?? "no level"})`}`,
    ]),
    ...predicate.limits.map((limit): Fact => ["Not proven", limit]),
  ];
}

export function VerifyTab() {
  const [keys, setKeys] = useState("");
  const [kept, setKept] = useState("");
  const trust = useMemo(() => readTrust(keys), [keys]);
  const policy = trust.ok ? trust.policy : null;
  return (
    <>
      <div className="audit-trust">
        <Field
          label="Keys that you trust"
          aside="optional"
          hint={
            <>
              One per line, as <code className="mono">reclaim audit keys</code> prints them, or a policy in
              the C2SP tlog-policy format. Get them over a channel that you trust: keys shown on this page
              come from the server that you check. Without keys, the signer is unknown.
            </>
          }
          error={trust.ok ? undefined : trust.why}
        >
          {(aria) => <TextArea aria={aria} mono rows={3} value={keys} onChange={setKeys} />}
        </Field>
        <Field
          label="Checkpoint that you kept"
          aside="optional"
          hint="From an earlier check. Proves that the log has not been rewritten since."
        >
          {(aria) => <TextArea aria={aria} mono rows={3} value={kept} onChange={setKept} />}
        </Field>
      </div>
      <CheckLog policy={policy} kept={kept} />
      <CheckCertificate policy={policy} kept={kept} />
    </>
  );
}
