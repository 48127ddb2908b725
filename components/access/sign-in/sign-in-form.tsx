"use client";
// The sign-in form. Its errors never say which of the two, email or password, was wrong.
import { signIn } from "next-auth/react";
import { useState, type FormEvent } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Fields } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { Notice } from "@/components/ui/notice";
import { DemoPeople, type DemoPerson } from "@/components/access/sign-in/demo-people";
import { noAnswer, signInProblem } from "@/components/access/sign-in/sign-in-problem";

const schema = z.object({
  email: z.string().min(1, "Enter your email"),
  password: z.string().min(1, "Enter your password"),
});
type Credentials = z.infer<typeof schema> | { email: string; demo: "1" };

/** What went wrong; undefined if signed in. */
async function problemOfSignIn(credentials: Credentials): Promise<string | undefined> {
  try {
    const answer = await signIn("credentials", { ...credentials, redirect: false });
    if (answer?.ok === true && answer.error === null) return undefined;
    return signInProblem(answer?.error ?? "", answer?.status ?? 500, "demo" in credentials);
  } catch {
    return noAnswer;
  }
}

/** Opens `next` by a full page load, so that nothing of a previous user stays in memory. */
function useSignInForm(next: string) {
  const [problem, setProblem] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const enter = async (credentials: Credentials) => {
    const found = await problemOfSignIn(credentials);
    setProblem(found);
    if (found !== undefined) return;
    setLeaving(true);
    location.assign(next);
  };
  const form = useAppForm({
    defaultValues: { email: "", password: "" },
    validators: { onSubmit: schema },
    onSubmit: ({ value }) => enter(value),
  });
  const choose = async (email: string) => {
    setChoosing(true);
    await enter({ email, demo: "1" });
    setChoosing(false);
  };
  return { form, problem, leaving, choosing, choose };
}

interface SignInFormProps {
  next: string;
  sessionEnded: boolean;
  /** Null: this is no demo, or it is opened from another machine. */
  demo: readonly DemoPerson[] | null;
}

export function SignInForm({ next, sessionEnded, demo }: SignInFormProps) {
  const { form, problem, leaving, choosing, choose } = useSignInForm(next);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!leaving && !choosing) void form.handleSubmit();
  };
  return (
    <>
      <form method="post" noValidate onSubmit={submit}>
        {sessionEnded && problem === undefined ? (
          <Notice tone="waiting">Your session ended. Sign in again to continue where you left off.</Notice>
        ) : null}
        {problem === undefined ? null : <Notice tone="failed">{problem}</Notice>}
        <Fields
          form={form}
          fields={{
            email: {
              label: "Email",
              type: "email",
              name: "email",
              autoComplete: "username",
              autoFocus: true,
            },
            password: {
              label: "Password",
              type: "password",
              name: "password",
              autoComplete: "current-password",
            },
          }}
        />
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(sending) => (
            <Button type="submit" kind="main" busy={sending || leaving || choosing}>
              Sign in
            </Button>
          )}
        </form.Subscribe>
      </form>
      {demo === null ? null : (
        <DemoPeople people={demo} busy={leaving || choosing} choose={(email) => void choose(email)} />
      )}
    </>
  );
}
