// Settings as people type them: numbers, durations with a unit, lists with one entry per line (docs/adr/0048-site-document.md).
import { z } from "zod";
import { mediaRule } from "@/server/domain/cleaning/sanitization/media-rules";
import type { MediaRule } from "@/server/domain/cleaning/sanitization/media-rules";
import { settingKind } from "@/server/domain/sites/setting-fields";
import type { SettingKind } from "@/server/domain/sites/setting-fields";

/** Undefined: left out of the document. */
export type SettingValue = number | boolean | string | readonly string[] | readonly MediaRule[] | undefined;

/** Labels of a switch. */
export const switchTexts = ["on", "off"] as const;

const units = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const largestFirst = ["d", "h", "min", "s", "ms"] as const;

/** "30 min": in the largest unit that gives a whole number. Pure. */
export function durationText(ms: number): string {
  const unit = largestFirst.find((name) => ms > 0 && ms % units[name] === 0) ?? "ms";
  return `${ms / units[unit]} ${unit}`;
}

/** Undefined if it is not a duration. A number needs a unit. Pure. */
export function readDuration(text: string): number | undefined {
  const parts = [...text.trim().matchAll(/(\d{1,12}(?:\.\d{1,3})?)\s*(ms|s|min|h|d)\b\s*/gy)];
  const used = parts.reduce((sum, [part]) => sum + part.length, 0);
  if (parts.length === 0 || used !== text.trim().length) return undefined;
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitMs(unit), 0);
  return Number.isInteger(ms) ? ms : undefined;
}

const isUnit = (unit: string | undefined): unit is keyof typeof units =>
  unit !== undefined && Object.hasOwn(units, unit);
const unitMs = (unit: string | undefined): number => (isUnit(unit) ? units[unit] : Number.NaN);

/** A setting as shown in its field. Pure. */
export function settingText(path: string, value: unknown): string {
  if (value === undefined) return "";
  if (settingKind(path).kind === "mediaRules")
    return mediaRules
      .parse(value)
      .map(({ model = anyModel, reason }) => `${model} = ${reason}`)
      .join("\n");
  if (Array.isArray(value)) return value.map(String).join("\n");
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "number" && settingKind(path).kind === "duration"
    ? durationText(value)
    : String(value);
}

export type ReadSetting =
  | { readonly ok: true; readonly value: SettingValue }
  | { readonly ok: false; readonly complaint: string };

const anyModel = "*";
const mediaRules = z.array(mediaRule);

const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The first `=` of a line separates model and reason. */
function readMediaRules(label: string, text: string): ReadSetting {
  const rules = linesOf(text).map((line) => {
    const at = line.indexOf("=");
    const [model, reason] = at === -1 ? ["", ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    return model === anyModel ? { reason } : { model, reason };
  });
  const parsed = mediaRules.safeParse(rules);
  if (!parsed.success)
    return { ok: false, complaint: `${label}: write each rule as model = reason, or * = reason` };
  return { ok: true, value: parsed.data.length === 0 ? undefined : parsed.data };
}

/** Parses what was typed into a field. Pure. */
export function readSetting(path: string, label: string, text: string): ReadSetting {
  const kind = settingKind(path);
  if (kind.kind === "lines") return { ok: true, value: linesOf(text) };
  if (kind.kind === "mediaRules") return readMediaRules(label, text);
  if (kind.kind === "switch")
    return text === "on" || text === "off"
      ? { ok: true, value: text === "on" }
      : { ok: false, complaint: `${label}: choose on or off` };
  if (kind.kind === "choice")
    return kind.options.includes(text)
      ? { ok: true, value: text }
      : { ok: false, complaint: `${label}: choose ${kind.options.join(" or ")}` };
  const value = kind.kind === "duration" ? readDuration(text) : readNumber(text, kind.whole);
  const { least, above, most } = kind;
  return value !== undefined && (above ? value > least : value >= least) && value <= most
    ? { ok: true, value }
    : { ok: false, complaint: `${label}: enter ${wantedText(kind)}` };
}

function readNumber(text: string, whole: boolean): number | undefined {
  const plain = text.trim();
  return (whole ? /^\d{1,15}$/ : /^\d{1,9}(\.\d{1,6})?$/).test(plain) ? Number(plain) : undefined;
}

function wantedText({
  kind,
  whole,
  least,
  above,
  most,
}: Extract<SettingKind, { kind: "number" | "duration" }>): string {
  const isDuration = kind === "duration";
  const words = (bound: number) => (isDuration ? durationText(bound) : String(bound));
  const range = `${above ? "above" : "from"} ${words(least)}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${words(most)}`}`;
  return isDuration
    ? `a duration with its unit, ${range}, such as 30 min`
    : `a ${whole ? "whole " : ""}number ${range}`;
}
