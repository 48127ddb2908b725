// A calendar month in UTC, as in `2026-10`.

export const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/;

/** From its first moment to that of the next month. Pure. @param month in the form above */
export function monthRange(month: string): { readonly from: Date; readonly until: Date } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { from: new Date(Date.UTC(year, number - 1, 1)), until: new Date(Date.UTC(year, number, 1)) };
}

/** "October 2026 UTC". Pure. */
export const monthText = (month: string): string =>
  `${new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(monthRange(month).from)} UTC`;
