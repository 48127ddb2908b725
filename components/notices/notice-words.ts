// Words of notices, and the times of one as their fields show them. Pure.
import { z } from "zod";
import type { NoticeKind } from "@/server/domain/break-fix/notice";

export const noticeKindWords: Record<NoticeKind, string> = {
  maintenance: "Maintenance",
  retirement: "Retirement",
  replacement: "Replacement",
};

const minuteMs = 60_000;

/** The text of a field for a time, in the browser's zone. */
export const momentText = (at: Date | null): string =>
  at === null ? "" : new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

/** Text for tenants. */
export const messageText = z.string().trim().min(1, "Enter the text for tenants").max(2048);
/** What they do not. */
export const noteText = z.string().trim().max(2048);
