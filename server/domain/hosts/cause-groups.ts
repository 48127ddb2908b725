// The headings of a hosts list grouped by cause. The server's group counts and the rows use the same text.

/** Groups of hosts that have not failed. */
export const overLimitGroup = "Over its state's limit";
export const notFailedGroup = "Not failed";

/** For failures: cause and model. Pure. */
export const formatFailureGroup = ({
  words,
  model,
}: {
  readonly words: string;
  readonly model: string;
}): string => `${words}, ${model}`;

/** The group of a row. Pure. */
export const causeGroupOf = (host: {
  readonly failure: { readonly words: string; readonly model: string } | null;
  readonly overLimit: boolean;
}): string =>
  host.failure !== null ? formatFailureGroup(host.failure) : host.overLimit ? overLimitGroup : notFailedGroup;
