"use client";
// Shown when a page fails to render: what happened, the id for support, and a retry button.
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <>
      <div className="head">
        <h1>This page could not be loaded</h1>
      </div>
      <Notice tone="failed" requestId={error.digest}>
        The server failed to load the data for this page. Nothing was changed. Retry; if it fails again, send
        the request id to your Reclaim administrator.
      </Notice>
      <p className="after">
        <Button onClick={reset}>Retry</Button>
      </p>
    </>
  );
}
