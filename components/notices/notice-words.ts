// Words of notices, and the times of one as a person types them. Pure.
import { z } from "zod";
import { typedValue } from "@/components/ui/form/schemas";
import type { NoticeKind } from "@/server/domain/break-fix/notice";

export const noticeKindWords: Record<NoticeKind, string> = {
  maintenance: "Maintenance",
  retirement: "Retirement",
  replacement: "Replacement",
};

/** A time of the browser's zone, as its fields have it; nothing is null. */
export const typedMoment = typedValue((text) => {
  if (text === "") return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}, "A date and a time");

const minuteMs = 60_000;

/** The text of such a field. */
export const momentText = (at: Date | null): string =>
  at === null ? "" : new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

/** What tenants read. */
export const messageText = z.string().trim().min(1, "Enter what tenants read").max(2048);
/** What they do not. */
export const noteText = z.string().trim().max(2048);
