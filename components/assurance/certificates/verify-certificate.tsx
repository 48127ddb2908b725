"use client";
// Verifies a bundle in the browser, with the code of `reclaim verify`. It makes no request to the server.
import { useState } from "react";
import { useKey } from "@/components/frame/keyboard";
import { verdictOf } from "@/components/assurance/certificates/certificate-text";
import { Button } from "@/components/ui/button";
import { Field, TextInput } from "@/components/ui/form/controls";
import { Notice } from "@/components/ui/notice";
import { parseKey } from "@/server/domain/audit-log/note";
import type { Policy } from "@/server/domain/audit-log/policy";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";
import type { VerifiedCertificate } from "@/server/domain/assurance/certificates/verify";

const policyOf = (key: ReturnType<typeof parseKey>): Policy => ({
  logs: key === null ? [] : [key],
  witnesses: [],
  groups: new Map(),
  quorum: "none",
});

type Checked =
  | { readonly state: "idle" | "checking" }
  | { readonly state: "failed"; readonly why: string }
  | { readonly state: "done"; readonly verified: VerifiedCertificate };

interface VerifyProps {
  /** The file's text. */
  readonly bundle: string;
  /** `v` verifies it, as long as it is on the page. */
  readonly byKey?: boolean;
}

export function VerifyCertificate({ bundle, byKey = false }: VerifyProps) {
  const [typed, setTyped] = useState("");
  const [checked, setChecked] = useState<Checked>({ state: "idle" });
  const key = typed.trim() === "" ? null : parseKey(typed.trim());
  const isWrong = typed.trim() !== "" && key === null;
  const verify = () => {
    setChecked({ state: "checking" });
    verifyBundle(bundle, policyOf(key), null).then(
      (verified) => setChecked({ state: "done", verified }),
      (error: unknown) => setChecked({ state: "failed", why: String(error) }),
    );
  };
  useKey("v", () => {
    if (byKey && !isWrong) verify();
  });
  return (
    <>
      <h3>Verify in this browser</h3>
      <div className="certificate-acts">
        <Field
          label="Key that you trust"
          aside="optional"
          hint="Get it from the provider over another channel. Without it, the signer is unknown."
          error={isWrong ? "This is not a key of an audit log." : undefined}
          wide
        >
          {(aria) => (
            <TextInput
              aria={aria}
              mono
              value={typed}
              onChange={(value) => {
                setTyped(value);
                setChecked({ state: "idle" });
              }}
            />
          )}
        </Field>
        <Button
          small
          onClick={verify}
          busy={checked.state === "checking"}
          disabledReason={isWrong ? "The key is not valid." : undefined}
        >
          Verify {byKey ? <kbd aria-hidden="true">v</kbd> : null}
        </Button>
      </div>
      {checked.state === "failed" ? (
        <Notice tone="failed">The check did not run: {checked.why}</Notice>
      ) : null}
      {checked.state === "done" ? <Verdict verified={checked.verified} /> : null}
    </>
  );
}

function Verdict({ verified }: { readonly verified: VerifiedCertificate }) {
  const { faults, index, size, witnesses } = verified;
  if (faults.length > 0)
    return (
      <Notice tone="failed">
        It does not verify.
        <ul>
          {faults.map(({ what, why }) => (
            <li key={`${what} ${why}`}>
              <strong>{what}</strong>: {why}
            </li>
          ))}
        </ul>
      </Notice>
    );
  const where = `Event ${index} of a log of ${size} events${witnesses.length === 0 ? "" : `, cosigned by ${witnesses.join(", ")}`}.`;
  const { tone, words } = verdictOf(verified);
  return (
    <Notice tone={tone}>
      {words} {where}
    </Notice>
  );
}
