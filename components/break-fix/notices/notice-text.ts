// Labels for notices, and conversion of their times for form fields. Pure.
import { z } from "zod";
import type { NoticeKind } from "@/server/domain/break-fix/notice";

export const noticeKindLabels: Record<NoticeKind, string> = {
  maintenance: "Maintenance",
  retirement: "Retirement",
  replacement: "Replacement",
};

const minuteMs = 60_000;

/** A time as a form field shows it, in the browser's zone. */
export const momentText = (at: Date | null): string =>
  at === null ? "" : new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

export const messageText = z.string().trim().min(1, "Enter the text for tenants").max(2048);
/** Text for provider users only. */
export const noteText = z.string().trim().max(2048);

/** The fields for both texts. */
export const noticeSpecs = {
  message: { label: "Text for tenants", rows: 2, maxLength: 2048 },
  note: { label: "Internal note", aside: "optional", rows: 2, maxLength: 2048 },
};
