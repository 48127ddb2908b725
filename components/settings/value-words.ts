// A value of a setting in words: durations with their unit, lists, switches; anything else as JSON.
import { durationText } from "@/server/domain/site/setting-text";

const longest = 160;

const cut = (text: string) => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`);

/** @param path of the setting: its name says whether a number is a duration */
export function valueWords(path: readonly string[], value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return cut(value);
  if (typeof value === "number")
    return path.at(-1)?.endsWith("Ms") === true ? durationText(value) : String(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
    return value.length === 0 ? "none" : cut(value.join(", "));
  return cut(JSON.stringify(value));
}
