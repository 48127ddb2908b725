// Types of a step's device results, as in the protocol, and text from tools as it is reported.
import type { z } from "zod";
import type {
  deviceResult,
  deviceTry,
  journalEvent,
} from "@/server/domain/cleaning/sanitization/device-result";

export type DeviceResult = z.infer<typeof deviceResult>;
export type DeviceTry = z.infer<typeof deviceTry>;
export type JournalEvent = z.infer<typeof journalEvent>;

/** Free text from a tool, cut to the length that the protocol allows. */
export function clip(text: string, length = 2000): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Replaces control characters, which a page or terminal should not show. */
export const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, "\uFFFD").trim();
