"use client";
// Checks the log, and certificates, in the browser, by the code of `reclaim audit verify` and `reclaim verify`: the server is asked for files and not for a verdict.
import { useMemo, useState } from "react";
import { CheckCertificate } from "@/components/audit/verify/check-certificate";
import { CheckLog } from "@/components/audit/verify/check-log";
import { readTrust } from "@/components/audit/verify/trust";
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
              One a line, as <code className="mono">reclaim audit keys</code> prints them, or a policy in the
              form of C2SP tlog-policy. Get them on a way that you trust: keys that this page shows come from
              the server that you check. Without keys nothing is said of who signed.
            </>
          }
          error={trust.ok ? undefined : trust.why}
        >
          {(aria) => <TextArea aria={aria} mono rows={3} value={keys} onChange={setKeys} />}
        </Field>
        <Field
          label="Checkpoint that you kept"
          aside="optional"
          hint="From an earlier check: proves that the log was not rewritten since."
        >
          {(aria) => <TextArea aria={aria} mono rows={3} value={kept} onChange={setKept} />}
        </Field>
      </div>
      <CheckLog policy={policy} kept={kept} />
      <CheckCertificate policy={policy} kept={kept} />
    </>
  );
}
