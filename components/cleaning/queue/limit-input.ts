// Parsing of the fields of a site's limits.
import { z } from "zod";
import type { LimitLine } from "@/server/surfaces/trpc/types";
import { typedValue } from "@/components/ui/form/schemas";

export type LimitName = LimitLine["name"];
export type LimitTexts = Readonly<Record<LimitName, string>>;

/** The minimum of each limit: with zero hosts at work, a site would never clean. */
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

/** A number, or null for empty text, which means no limit; undefined for invalid text. */
function limitOf(name: LimitName, text: string): number | null | undefined {
  const plain = text.trim();
  if (plain === "") return null;
  const value = Number(plain);
  return /^\d{1,7}$/.test(plain) && value >= least[name] && value <= most ? value : undefined;
}

const limitText = (name: LimitName) =>
  typedValue(
    (text) => limitOf(name, text),
    `Enter a whole number from ${least[name]}, or leave empty for no limit`,
  );

type Places = Readonly<Record<string, number>>;

/** One limit per line, such as `rack-row-1: 10`. */
export const placesText = (lines: readonly { readonly place: string; readonly limit: number }[]): string =>
  lines.map(({ place, limit }) => `${place}: ${limit}`).join("\n");

/** Undefined if a line is not a name and a number, or if a name occurs twice. */
function placesOf(text: string): Places | undefined {
  const found = new Map<string, number>();
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", number = ""] = /^(.+):\s*(\d{1,7})\s*$/.exec(line.trim()) ?? [];
    const limit = Number(number);
    const place = name.trim();
    if (place === "" || place.length > 64 || limit < 1 || limit > most || found.has(place)) return undefined;
    found.set(place, limit);
  }
  return Object.fromEntries(found);
}

const placeLimits = typedValue(
  placesOf,
  "One per line: a name, a colon and a whole number from 1; each name once",
);

/** Takes the form's texts and outputs the request. */
export const limitsSchema = z.object({
  limits: z.object({
    atWork: limitText("atWork"),
    bootsPerMinute: limitText("bootsPerMinute"),
    perPowerDomain: limitText("perPowerDomain"),
    tenantReleasesPerHour: limitText("tenantReleasesPerHour"),
    segments: placeLimits,
    powerDomains: placeLimits,
  }),
});
