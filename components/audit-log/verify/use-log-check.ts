"use client";
// One verification of the whole log at a time: its progress, its result, and how to stop it.
import { useEffect, useRef, useState } from "react";
import { fromFolder, fromServer } from "@/components/audit-log/verify/log-sources";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import type { Policy } from "@/server/domain/audit-log/policy";
import { readAheadOfServer, verifyLog } from "@/server/domain/audit-log/verify-log";
import type { ReadLogFile, VerifiedLog } from "@/server/domain/audit-log/verify-log";

export type LogCheckState =
  | { readonly at: "none" }
  /** `size` is null until the checkpoint has been read. */
  | { readonly at: "reading"; readonly entries: number; readonly size: number | null }
  | { readonly at: "done"; readonly verified: VerifiedLog }
  /** It did not finish, so it says nothing about the log. */
  | { readonly at: "stopped"; readonly why: string };

/** Minimum time between progress updates; small logs finish sooner. */
const showEveryMs = 200;

/** Reports the log size as the checkpoint is read. */
const withSize =
  (read: ReadLogFile, tell: (size: number) => void): ReadLogFile =>
  async (path) => {
    const bytes = await read(path);
    const size =
      path === "checkpoint" && bytes !== null
        ? parseCheckpoint(Buffer.from(bytes).toString("utf8"))?.size
        : undefined;
    if (size !== undefined) tell(size);
    return bytes;
  };

async function runCheck(
  read: ReadLogFile,
  { policy, kept }: { readonly policy: Policy; readonly kept: string },
  show: (state: LogCheckState) => void,
): Promise<void> {
  let size: number | null = null;
  let shownAt = 0;
  show({ at: "reading", entries: 0, size });
  try {
    const verified = await verifyLog(
      withSize(read, (told) => {
        size = told;
      }),
      {
        policy,
        readAhead: readAheadOfServer,
        kept: kept.trim() === "" ? [] : [`${kept.trim()}\n`],
        progress: (entries) => {
          const now = Date.now();
          if (now - shownAt < showEveryMs) return;
          shownAt = now;
          show({ at: "reading", entries, size });
        },
      },
    );
    show({ at: "done", verified });
  } catch (error) {
    show({ at: "stopped", why: error instanceof Error ? error.message : String(error) });
  }
}

export function useLogCheck(policy: Policy | null, kept: string) {
  const [state, setState] = useState<LogCheckState>({ at: "none" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = (files: readonly File[] | null) => {
    if (policy === null) return;
    running.current?.abort();
    const ended = new AbortController();
    running.current = ended;
    const read = files === null ? fromServer(ended.signal) : fromFolder(files, ended.signal);
    // Ignore updates from a check that has been replaced.
    void runCheck(read, { policy, kept }, (shown) => {
      if (running.current === ended) setState(shown);
    });
  };
  return { state, start, stop: () => running.current?.abort() };
}
