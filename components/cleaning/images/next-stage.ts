// The proposed next stage of a rollout, and parsing of its form fields.
import type { Rollout } from "@/server/domain/cleaning/images/image-rollout";

/** A few hosts, then 5 %, 20 %, 50 %, then all. Pure. */
export function proposedStage(rollout: Rollout): Rollout | null {
  switch (rollout.stage) {
    case "few":
      return { stage: "share", percent: 5 };
    case "share":
      return rollout.percent >= 50
        ? { stage: "all" }
        : { stage: "share", percent: Math.min(50, Math.ceil(rollout.percent * 4)) };
    case "all":
      return null;
  }
}

interface StageTexts {
  readonly stage: Rollout["stage"];
  readonly text: string;
}

export const textOf = (rollout: Rollout): string =>
  rollout.stage === "few" ? String(rollout.hosts) : rollout.stage === "share" ? String(rollout.percent) : "";

/** Null if the text is not a valid number for that stage. Pure. */
export function rolloutFrom({ stage, text }: StageTexts): Rollout | null {
  if (stage === "all") return { stage };
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text.trim()) || value < 1 || value > (stage === "few" ? 100 : 99)) return null;
  return stage === "few" ? { stage, hosts: value } : { stage, percent: value };
}

/** The host count for stage `few`; undefined if the text is not one. Pure. */
export function fewOf(text: string): number | undefined {
  const rollout = rolloutFrom({ stage: "few", text });
  return rollout?.stage === "few" ? rollout.hosts : undefined;
}

export const stageFault = (stage: Rollout["stage"]): string =>
  stage === "few" ? "A number of hosts from 1 to 100" : "A share from 1 to 99 %";
