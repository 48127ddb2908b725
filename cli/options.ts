// Parsers for option values; errors are reported at the option.
import { InvalidArgumentError } from "commander";
import { parseDuration } from "@/cli/output/text";

export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It takes a number from 1.");
  return Number(text);
}

/** A number from 0, as priorities are. */
export function readPriority(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It takes a number from 0.");
  return Number(text);
}

/** Returns ms. */
export function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError("It takes a time such as 90s, 15m, 2h or 1d.");
  return ms;
}

/** `2026-11-22T08:00`, in this machine's zone unless it names one. */
export function readMoment(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError("It takes a time such as 2026-11-22T08:00.");
  return at;
}

/** `2h` or `7d` ago, or a point in time. */
export function readSince(text: string): Date {
  const ms = parseDuration(text);
  return ms === null ? readMoment(text) : new Date(Date.now() - ms);
}

/** `a,b`; repeatable. */
export function readNames(text: string, before: readonly string[] | undefined): readonly string[] {
  return [
    ...(before ?? []),
    ...text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ];
}

export function readOnOff(text: string): boolean {
  if (text !== "on" && text !== "off") throw new InvalidArgumentError("It takes on or off.");
  return text === "on";
}
