// The texts of the limits form, both ways.
import type { LimitLine } from "@/server/surfaces/trpc/types";

export type LimitName = LimitLine["name"];
export type LimitTexts = Readonly<Record<LimitName, string>>;

/** The lowest that a limit may be: a site that lets nobody at work would never clean. */
const least: Readonly<Record<LimitName, number>> = {
  atWork: 1,
  bootsPerMinute: 1,
  perPowerDomain: 1,
  tenantReleasesPerHour: 0,
};
const most = 1_000_000;

export const textsOf = (lines: readonly LimitLine[]): LimitTexts => {
  const text = (name: LimitName) => String(lines.find((line) => line.name === name)?.limit ?? "");
  return {
    atWork: text("atWork"),
    bootsPerMinute: text("bootsPerMinute"),
    perPowerDomain: text("perPowerDomain"),
    tenantReleasesPerHour: text("tenantReleasesPerHour"),
  };
};

/** A number, or null for an empty text, which means no limit; undefined for anything else. Pure. */
export function limitOf(name: LimitName, text: string): number | null | undefined {
  const plain = text.trim();
  if (plain === "") return null;
  const value = Number(plain);
  return /^\d{1,7}$/.test(plain) && value >= least[name] && value <= most ? value : undefined;
}

/** What is wrong with the text; null: nothing. */
export const limitFault = (name: LimitName, text: string): string | null =>
  limitOf(name, text) === undefined ? `A whole number from ${least[name]}, or nothing for no limit` : null;
