// How a time is written wherever it proves something: on screens, in print, in PDFs. Always with its day and zone, so that a copy says when it was.

/** "28 Nov 2026, 15:26:15 UTC". @param timeZone IANA name */
export const formatProofTime = (at: Date, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(at);
