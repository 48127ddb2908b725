"use client";
// A failed call on the page: the server's message, the request id, and a retry button if a retry makes sense.
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { problemOf, type Problem } from "@/components/trpc/query-client";

/** `before` says what failed: "The hosts could not be read." */
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

/** Why the server refused; empty if it did not. */
export function Refused({ problem }: { problem: Pick<Problem, "words" | "requestId"> | undefined }) {
  return problem === undefined ? null : (
    <Notice tone="failed" requestId={problem.requestId}>
      {problem.words}
    </Notice>
  );
}
