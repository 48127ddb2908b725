"use client";
// A reclamation's stages from left to right: completed ones with their duration, the current one, and those to come.
import { Running } from "@/components/ui/time/time";
import { formatTimer } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import type { Stage } from "@/server/surfaces/trpc/types";

/** A line above each stage, coloured for the current one. */
export function Stepper({ stages }: { stages: readonly Stage[] }) {
  return (
    <ol className="stepper" aria-label="Stages">
      {stages.map((stage) => (
        <li
          key={stage.name}
          className={stage.status === "done" ? "done" : undefined}
          data-tone={stage.tone}
          {...(stage.status === "now" ? { "aria-current": "step" as const } : {})}
        >
          <Mark
            tone={stage.tone}
            live={stage.status === "now" && stage.tone === "working"}
            none={stage.status === "skipped"}
          />
          <span>{stage.name}</span>
          <span className="took">
            {stage.tookMs !== null ? (
              formatTimer(stage.tookMs)
            ) : stage.status === "now" && stage.since !== null ? (
              <Running from={stage.since} />
            ) : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
