// Counts, percentages and lists, formatted by Intl in English.

const counts = new Intl.NumberFormat("en");
const plurals = new Intl.PluralRules("en");
const lists = new Intl.ListFormat("en", { type: "conjunction" });

/** "4,018". */
export const formatCount = (count: number): string => counts.format(count);

/** "1 host", "4,018 hosts"; an irregular plural is passed in: `formatCounted(2, "entry", "entries")`. */
export const formatCounted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${counts.format(count)} ${plurals.select(count) === "one" ? noun : plural}`;

/** "38 %"; with digits "97.6 %". */
export const formatPercent = (percent: number, digits = 0): string =>
  `${new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(percent)} %`;

/** "BMC, agent, and debt". */
export const formatList = (words: readonly string[]): string => lists.format(words);
