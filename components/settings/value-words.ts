// A value of a setting in words: durations with their unit, lists, switches, members by name; anything else as JSON.
import { isObject } from "@/server/domain/json";
import { withoutPem } from "@/server/domain/site/authorities";
import { durationText } from "@/server/domain/site/setting-text";

const longest = 160;

function cut(whole: string): string {
  const text = withoutPem(whole);
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** How a document refers to a secret that the site has. */
const isStored = (value: Readonly<Record<string, unknown>>): boolean =>
  value["stored"] === true && Object.keys(value).length === 1;

const membersWords = (path: readonly string[], value: Readonly<Record<string, unknown>>): string =>
  Object.entries(value)
    .map(([name, member]) => `${name}: ${valueWords([...path, name], member)}`)
    .join("; ");

/** @param path of the setting: its name says whether a number is a duration */
export function valueWords(path: readonly string[], value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return cut(value);
  if (typeof value === "number")
    return path.at(-1)?.endsWith("Ms") === true ? durationText(value) : String(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
    return value.length === 0 ? "none" : cut(value.join(", "));
  if (isObject(value)) return cut(isStored(value) ? "stored" : membersWords(path, value));
  return cut(JSON.stringify(value));
}
