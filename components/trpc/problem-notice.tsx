"use client";
// A failed call on the page: the server's words, its request id, and another try where one makes sense.
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { problemOf, type Problem } from "@/components/trpc/query-client";

/** `before` says what was being done: "The hosts could not be read." */
export function ProblemNotice({
  error,
  before,
  onRetry,
}: {
  error: unknown;
  before: string;
  onRetry?: (() => void) | undefined;
}) {
  const { words, requestId } = problemOf(error);
  return (
    <>
      <Notice tone="failed" requestId={requestId}>
        {before} {words}
      </Notice>
      {onRetry === undefined ? null : (
        <p className="after">
          <Button onClick={onRetry}>Retry</Button>
        </p>
      )}
    </>
  );
}

/** Why the server did not do what was asked; nothing where it did. */
export function Refused({ problem }: { problem: Pick<Problem, "words" | "requestId"> | undefined }) {
  return problem === undefined ? null : (
    <Notice tone="failed" requestId={problem.requestId}>
      {problem.words}
    </Notice>
  );
}
