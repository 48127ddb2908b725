// A setting's value in words: durations with a unit, lists, switches, members by name; anything else as JSON.
import { isObject } from "@/server/domain/json";
import { withoutPem } from "@/server/domain/sites/authorities";
import { durationText } from "@/server/domain/sites/setting-text";

const longest = 160;

type Cut = (text: string) => string;

function short(whole: string): string {
  const text = withoutPem(whole);
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** A document's reference to a stored secret. */
const isStored = (value: Readonly<Record<string, unknown>>): boolean =>
  value["stored"] === true && Object.keys(value).length === 1;

const formatMembers = (path: readonly string[], value: Readonly<Record<string, unknown>>, cut: Cut): string =>
  Object.entries(value)
    .map(([name, member]) => `${name}: ${textOf([...path, name], member, cut)}`)
    .join("; ");

/** @param path of the setting: its name says whether a number is a duration */
export const formatValue = (path: readonly string[], value: unknown): string => textOf(path, value, short);

/** The same without shortening, for somebody who decides on it. */
export const formatWholeValue = (path: readonly string[], value: unknown): string =>
  textOf(path, value, (text) => text);

function textOf(path: readonly string[], value: unknown, cut: Cut): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return cut(value);
  if (typeof value === "number")
    return path.at(-1)?.endsWith("Ms") === true ? durationText(value) : String(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
    return value.length === 0 ? "none" : cut(value.join(", "));
  if (isObject(value)) return cut(isStored(value) ? "stored" : formatMembers(path, value, cut));
  return cut(JSON.stringify(value));
}
