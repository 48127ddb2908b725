"use client";
// Verifies the log and certificates in the browser, with the code of `reclaim audit verify` and `reclaim verify`: the server supplies files, not a verdict.
import { useMemo, useState } from "react";
import { CheckCertificate } from "@/components/audit-log/verify/check-certificate";
import { CheckLog } from "@/components/audit-log/verify/check-log";
import { readTrust } from "@/components/audit-log/verify/trust";
import { Field, TextArea } from "@/components/ui/form/controls";

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
