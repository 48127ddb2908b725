// Appends a result to bench/history.jsonl, one line of JSON each, newest last, so that later results can be compared with it.
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { root } from "@/scripts/folders.mjs";
import type { Section } from "@/bench/figures";
import { table } from "@/bench/figures";

export interface Circumstances {
  readonly at: string;
  /** Short hash; with a `+` if the working tree differs from it. */
  readonly commit: string;
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly node: string;
  readonly postgres: string;
  /** Load average in the minute before the run: anything above 0 took processor time from it. */
  readonly loadBefore: number;
}

export interface Result {
  readonly command: string;
  readonly circumstances: Circumstances;
  /** The conditions of the measurement, one line each. */
  readonly setting: readonly string[];
  readonly sections: readonly Section[];
}

function commitOf(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${changed ? "+" : ""}`;
  } catch {
    return "unknown (no git here)";
  }
}

/** The load from other processes. Call it before the run starts. */
export const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;

export function circumstances(postgres: string, loadBefore: number): Circumstances {
  const all = cpus();
  return {
    at: new Date().toISOString(),
    commit: commitOf(),
    cores: all.length,
    processor: all[0]?.model.trim() ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres,
    loadBefore,
  };
}

export function resultText({ command, circumstances: c, setting, sections }: Result): string {
  return [
    `## ${c.at.slice(0, 16).replace("T", " ")} UTC, commit ${c.commit}`,
    "",
    `\`${command}\` on ${c.cores} cores (${c.processor}, ${c.memoryGb} GB), Node ${c.node}, PostgreSQL ${c.postgres}; load of other work in the minute before: ${c.loadBefore}.`,
    "",
    ...setting.map((line) => `- ${line}`),
    "",
    sections.map(table).join("\n\n"),
    "",
  ].join("\n");
}

export function record(result: Result, file = join(root, "bench", "history.jsonl")): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}
