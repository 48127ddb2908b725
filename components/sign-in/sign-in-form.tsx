"use client";
// The sign-in form: says what went wrong, and never which of the two was wrong.
import { signIn } from "next-auth/react";
import { useId, useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { noAnswer, signInProblem } from "@/components/sign-in/sign-in-problem";

/** Goes to `next` when signed in, by a full load, so that nothing of a former person stays in memory. */
export function SignInForm({ next, sessionEnded }: { next: string; sessionEnded: boolean }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const emailId = useId();
  const passwordId = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const answer = await signIn("credentials", { email, password, redirect: false });
      if (answer?.ok === true && answer.error === null) {
        location.assign(next);
        return;
      }
      setProblem(signInProblem(answer?.error ?? "", answer?.status ?? 500));
    } catch {
      setProblem(noAnswer);
    }
    setBusy(false);
  };
  return (
    <form method="post" onSubmit={(event) => void submit(event)}>
      {sessionEnded && problem === undefined ? (
        <Notice tone="waiting">Your session ended. Sign in again to continue where you left off.</Notice>
      ) : null}
      {problem === undefined ? null : <Notice tone="failed">{problem}</Notice>}
      <div className="field">
        <label htmlFor={emailId}>Email</label>
        <div className="input">
          <input
            id={emailId}
            type="email"
            name="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </div>
      </div>
      <div className="field">
        <label htmlFor={passwordId}>Password</label>
        <div className="input">
          <input
            id={passwordId}
            type="password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </div>
      </div>
      <Button type="submit" kind="main" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
