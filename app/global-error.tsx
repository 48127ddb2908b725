"use client";
// The last resort, shown if even the frame fails to render.
import { Notice } from "@/components/ui/notice";
import "@/app/styles.css";

export default function GlobalError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <html lang="en">
      <body>
        <div className="alone">
          <main>
            <h1>Reclaim could not be loaded</h1>
            <Notice tone="failed" requestId={error.digest}>
              The server failed before it could load the page. Nothing was changed.
            </Notice>
            <button type="button" className="btn after" onClick={reset}>
              Retry
            </button>
          </main>
        </div>
      </body>
    </html>
  );
}
